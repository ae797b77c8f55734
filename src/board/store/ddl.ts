/**
 * Reads our own DDL: which tables, columns, constraints and other objects a schema declares. It knows just
 * as much SQL as `create` statements need, and reads the file and a live database's `sqlite_master` alike.
 */
export interface TableShape {
  name: string;
  /** Column name to its whole definition, white space folded. */
  columns: Map<string, string>;
  constraints: string[];
  /** What follows the body: `strict`, `without rowid`. */
  options: string;
}

export interface SchemaObject {
  kind: "table" | "index" | "view" | "trigger";
  name: string;
  /** The statement, white space and `if not exists` folded away, for comparison. */
  text: string;
  /** The statement as written, to run. */
  sql: string;
}

const CREATE =
  /^create\s+(?:unique\s+|virtual\s+)?(table|index|view|trigger)\s+(?:if\s+not\s+exists\s+)?["`[]?(\w+)/i;
const TABLE_CONSTRAINT = /^(?:constraint|primary\s+key|unique\s*\(|check\s*\(|foreign\s+key)/i;

/** Every object a schema text declares, in its order. */
export function readSchema(ddl: string): SchemaObject[] {
  return splitStatements(stripComments(ddl)).map(readObject);
}

/** A virtual table, that is one a module keeps: the index of texts. */
export function isVirtual(object: SchemaObject): boolean {
  return object.text.startsWith("create virtual table ");
}

export function readObject(sql: string): SchemaObject {
  const match = CREATE.exec(sql.trim());
  if (match === null) throw new Error(`not a create statement: ${sql.slice(0, 60)}`);
  return {
    kind: match[1]?.toLowerCase() as SchemaObject["kind"],
    name: match[2] as string,
    text: fold(stripComments(sql))
      .replace(/^create (?:unique |virtual )?(?:table|index|view|trigger) /i, (verb) => verb.toLowerCase())
      .replace("if not exists ", ""),
    sql,
  };
}

/** The columns and constraints of a `create table` statement. */
export function readTable(sql: string): TableShape {
  const text = stripComments(sql);
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  const columns = new Map<string, string>();
  const constraints: string[] = [];
  for (const item of splitTop(text.slice(open + 1, close), ",").map(fold)) {
    if (TABLE_CONSTRAINT.test(item)) constraints.push(item);
    else columns.set(/^["`[]?(\w+)/.exec(item)?.[1] ?? item, item);
  }
  return {
    name: readObject(sql).name,
    columns,
    constraints: constraints.sort(),
    options: fold(text.slice(close + 1)),
  };
}

/** Quoted text, which is kept as it stands, or what is to be folded away. */
const QUOTED_OR_SPACE = /'[^']*'|"[^"]*"|\s+/g;
const QUOTED_OR_COMMENT = /'[^']*'|"[^"]*"|--[^\n]*/g;

function fold(text: string): string {
  return text
    .replace(QUOTED_OR_SPACE, (found) => (found.trim() === "" ? " " : found))
    .replace(/;$/, "")
    .trim();
}

function stripComments(sql: string): string {
  return sql.replace(QUOTED_OR_COMMENT, (found) => (found.startsWith("--") ? "" : found));
}

/** A trigger's body holds statements of its own, up to its `end`. */
function splitStatements(ddl: string): string[] {
  const statements: string[] = [];
  let pending = "";
  for (const part of splitTop(ddl, ";")) {
    pending = pending === "" ? part.trim() : `${pending};${part}`;
    const inTrigger = /^create\s+trigger\b/i.test(pending) && !isWhole(pending);
    if (inTrigger) continue;
    if (pending.trim() !== "") statements.push(pending.trim());
    pending = "";
  }
  return statements;
}

/** A trigger ends with the `end` of its `begin`; each `case` before it has one of its own. */
function isWhole(trigger: string): boolean {
  const words = trigger.replace(/'[^']*'|"[^"]*"/g, "").match(/\b(?:begin|case|end)\b/gi) ?? [];
  const opened = words.filter((word) => word.toLowerCase() !== "end").length;
  return opened > 0 && words.length - opened === opened && /\bend\s*$/i.test(trigger);
}

/** Splits at `separator` where no parenthesis or quoted text is open. */
function splitTop(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string;
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === "'" || char === '"') quote = char;
    else if (char === "(") depth++;
    else if (char === ")") depth--;
    else if (char === separator && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}
