/** A schema as SQLite itself describes it, whatever text made it. */
import { readTable } from "../../src/board/store/ddl.ts";
import type { Sql } from "../../src/board/store/sql.ts";

export interface LiveColumn {
  name: string;
  type: string;
  notNull: boolean;
  default: string | null;
  /** 1 for the first column of the primary key, 2 for the second; 0: no part of it. */
  key: number;
  /** The column as its `create table` statement writes it. */
  definition: string;
}

export interface LiveTable {
  name: string;
  strict: boolean;
  withoutRowid: boolean;
  columns: LiveColumn[];
  /** `column -> table (column)`, with what a delete does where it does anything. */
  foreignKeys: string[];
  /** Columns that are unique by the table itself. */
  unique: string[];
}

/** Every table but SQLite's and the platform's own, by name. */
export function liveTables(sql: Sql): Map<string, LiveTable> {
  const tables = sql.all(
    `select name, wr, strict from pragma_table_list
     where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\'
       and name not like '\\_cf\\_%' escape '\\'
     order by name`,
  );
  return new Map(
    tables.map((row) => {
      const name = String(row["name"]);
      return [
        name,
        {
          name,
          strict: row["strict"] === 1,
          withoutRowid: row["wr"] === 1,
          columns: columnsOf(sql, name),
          foreignKeys: foreignKeysOf(sql, name),
          unique: uniqueOf(sql, name),
        },
      ];
    }),
  );
}

/** Every index somebody created, as `[unique ]name on table (column[ desc], …)[ where …]`. */
export function liveIndexes(sql: Sql): string[] {
  return sql
    .all(
      "select name, tbl_name, sql from sqlite_master where type = 'index' and sql is not null order by name",
    )
    .map((row) => {
      const { name, tbl_name: table, sql: text } = row as Record<string, string>;
      const columns = sql
        .all('select name, "desc" from pragma_index_xinfo(?) where key = 1 order by seqno', String(name))
        .map((column) => `${column["name"] ?? "an expression"}${column["desc"] === 1 ? " desc" : ""}`);
      const unique = sql.number(
        'select "unique" from pragma_index_list(?) where name = ?',
        String(table),
        String(name),
      );
      const where = /\bwhere\b[\s\S]*$/i.exec(String(text))?.[0].replace(/\s+/g, " ");
      return `${unique === 1 ? "unique " : ""}${name} on ${table} (${columns.join(", ")})${where === undefined ? "" : ` ${where}`}`;
    });
}

/** Views, triggers and virtual tables by name. */
export function liveOthers(sql: Sql): string[] {
  return sql
    .all(
      `select type, name from sqlite_master where type in ('view', 'trigger')
       union all
       select type, name from pragma_table_list where schema = 'main' and type = 'virtual'
       order by name`,
    )
    .map((row) => `${row["type"]} ${row["name"]}`);
}

/** Every statement that made something, by the name of what it made; tables that modules keep aside. */
export function liveStatements(sql: Sql): [name: string, sql: string][] {
  return sql
    .all(
      `select name, sql from sqlite_master
       where sql is not null and name not like '\\_cf\\_%' escape '\\'
         and name not in (select name from pragma_table_list where type = 'shadow')
       order by name`,
    )
    .map((row) => [String(row["name"]), String(row["sql"])]);
}

function columnsOf(sql: Sql, table: string): LiveColumn[] {
  const text = String(
    sql.first("select sql from sqlite_master where type = 'table' and name = ?", table)?.["sql"],
  );
  const definitions = readTable(text).columns;
  return sql
    .all(
      'select name, type, "notnull", dflt_value, pk, hidden from pragma_table_xinfo(?) order by cid',
      table,
    )
    .map((row) => ({
      name: String(row["name"]),
      type: String(row["type"]),
      notNull: row["notnull"] === 1,
      default: row["dflt_value"] === null ? null : String(row["dflt_value"]),
      key: Number(row["pk"]),
      definition: definitions.get(String(row["name"])) ?? "",
    }));
}

function foreignKeysOf(sql: Sql, table: string): string[] {
  return sql
    .all('select "from", "table", "to", on_delete from pragma_foreign_key_list(?) order by "from"', table)
    .map(
      (row) =>
        `${row["from"]} -> ${row["table"]} (${row["to"]})${row["on_delete"] === "NO ACTION" ? "" : ` on delete ${row["on_delete"]}`}`,
    );
}

function uniqueOf(sql: Sql, table: string): string[] {
  return sql
    .all("select name from pragma_index_list(?) where origin = 'u' order by seq", table)
    .map((row) =>
      sql
        .all("select name from pragma_index_info(?) order by seqno", String(row["name"]))
        .map((column) => column["name"])
        .join(", "),
    )
    .sort();
}
