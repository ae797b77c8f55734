/**
 * The schema without migrations: installs a fresh database, brings a live one up to the same DDL by adding
 * what is missing, and refuses what addition cannot do.
 */
import { isVirtual, readObject, readSchema, readTable, type SchemaObject, type TableShape } from "./ddl.ts";
import type { Sql } from "./sql.ts";

/** The live database has something the DDL rewrote or removed. Only a hard reset helps. */
export class SchemaRefused extends Error {
  override readonly name = "SchemaRefused";
  readonly table: string;
  readonly column: string | null;

  constructor(table: string, column: string | null, what: string) {
    super(`schema of ${table}${column === null ? "" : `.${column}`}: ${what}`);
    this.table = table;
    this.column = column;
  }
}

/** Whether anything was ever created here. One row read, nothing written. */
export function isInstalled(sql: Sql, table: string): boolean {
  return sql.first("select name from sqlite_master where type = 'table' and name = ?", table) !== null;
}

export function install(sql: Sql, ddl: string): void {
  for (const object of readSchema(ddl)) sql.run(object.sql);
}

/**
 * Adds what is missing: tables, then columns, then indexes, views, triggers and virtual tables whose text
 * drifted. An index of texts is filled anew where it, its source or what keeps it was made.
 */
export function reconcile(sql: Sql, ddl: string): void {
  const wanted = readSchema(ddl);
  const live = liveObjects(sql);
  const holdsRows = (object: SchemaObject) => object.kind === "table" && !isVirtual(object);
  for (const table of wanted.filter(holdsRows)) {
    const standing = live.get(table.name);
    if (standing === undefined) sql.run(table.sql);
    else if (standing.text !== table.text) addColumns(sql, readTable(standing.sql), readTable(table.sql));
  }
  const made: SchemaObject[] = [];
  for (const object of wanted) {
    if (holdsRows(object)) continue;
    const standing = live.get(object.name);
    if (standing?.text === object.text) continue;
    if (standing !== undefined) drop(sql, standing);
    sql.run(object.sql);
    made.push(object);
  }
  for (const index of wanted.filter(isTextIndex))
    if (made.some((object) => object === index || feeds(object, index)))
      sql.run(`insert into ${index.name} (${index.name}) values ('rebuild')`);
}

/** What has no rows of its own can be made again; anything else is left alone. */
function drop(sql: Sql, standing: SchemaObject): void {
  if (standing.kind === "table" && !isTextIndex(standing) && !/ using fts5vocab ?\(/i.test(standing.text))
    throw new SchemaRefused(standing.name, null, "a table with rows of its own would be dropped");
  sql.run(`drop ${standing.kind} ${standing.name}`);
}

/** An index over texts that stand in tables: FTS5 with external content. */
function isTextIndex(object: SchemaObject): boolean {
  return isVirtual(object) && / using fts5 ?\(.*\bcontent ?= ?'\w+'/i.test(object.text);
}

/** Whether an object is the source of an index, or a trigger that writes to it. */
function feeds(object: SchemaObject, index: SchemaObject): boolean {
  const names = (text: string, name: string) => new RegExp(`\\b${name}\\b`).test(text);
  return (
    (object.kind === "view" && names(index.text, object.name)) ||
    (object.kind === "trigger" && names(object.text, index.name))
  );
}

/** A short name for a schema text; two texts share one only by an accident of 1 in 2^32 and equal length. */
export function fingerprint(ddl: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < ddl.length; i++) hash = Math.imul(hash ^ ddl.charCodeAt(i), 0x01000193) >>> 0;
  return `${ddl.length}-${hash.toString(16).padStart(8, "0")}`;
}

function addColumns(sql: Sql, standing: TableShape, wanted: TableShape): void {
  if (standing.options !== wanted.options)
    throw new SchemaRefused(
      wanted.name,
      null,
      `options changed from "${standing.options}" to "${wanted.options}"`,
    );
  if (standing.constraints.join() !== wanted.constraints.join())
    throw new SchemaRefused(wanted.name, null, "a table constraint changed");
  for (const [column, definition] of standing.columns) {
    const now = wanted.columns.get(column);
    if (now === undefined) throw new SchemaRefused(wanted.name, column, "the column was removed");
    if (now !== definition)
      throw new SchemaRefused(wanted.name, column, `rewritten from "${definition}" to "${now}"`);
  }
  for (const [column, definition] of wanted.columns) {
    if (standing.columns.has(column)) continue;
    const obstacle = whyNotAddable(definition);
    if (obstacle !== null) throw new SchemaRefused(wanted.name, column, `cannot be added: ${obstacle}`);
    sql.run(`alter table ${wanted.name} add column ${definition}`);
  }
}

function whyNotAddable(definition: string): string | null {
  if (/\bprimary key\b/.test(definition)) return "a key column";
  if (/\bunique\b/.test(definition)) return "a unique column";
  if (/\bstored\b/.test(definition)) return "a stored generated column";
  if (/\bnot null\b/.test(definition) && !/\bdefault ('[^']*'|-?[\d.]+)/.test(definition))
    return "not null without a constant default";
  if (/\bdefault \(/.test(definition)) return "a computed default";
  if (/\breferences\b/.test(definition) && /\bdefault\b/.test(definition))
    return "a reference with a default";
  return null;
}

/** Without the platform's own tables, and those in which a virtual table keeps what it indexes. */
function liveObjects(sql: Sql): Map<string, SchemaObject> {
  const rows = sql.all(
    `select sql from sqlite_master where sql is not null and name not like '\\_cf\\_%' escape '\\'
       and name not in (select name from pragma_table_list where type = 'shadow')
     limit 1000`,
  );
  return new Map(
    rows.map((row) => {
      const object = readObject(String(row["sql"]));
      return [object.name, object];
    }),
  );
}
