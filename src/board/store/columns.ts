/** Statements and rows by their schema: a table's columns are written once, in `rows.ts`. */
import type * as z from "zod";
import type { Binding, SqlRow } from "./sql.ts";

/** Reads every row through its schema: a raw query's type is never taken on trust. */
export function parseRows<T extends z.ZodType>(schema: T, rows: SqlRow[]): z.infer<T>[] {
  return rows.map((row) => schema.parse(row));
}

/** The column list of a table, each one named, for a static select. */
export function columnsOf(schema: z.ZodObject, alias?: string): string {
  const prefix = alias === undefined ? "" : `${alias}.`;
  return Object.keys(schema.shape)
    .map((column) => `${prefix}${column}`)
    .join(", ");
}

/** One row, a parameter for each column. */
export function insertOne(table: string, schema: z.ZodObject): string {
  const columns = Object.keys(schema.shape);
  return `insert into ${table} (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`;
}

/** Many rows out of one JSON parameter. */
export function insertMany(table: string, schema: z.ZodObject): string {
  const columns = Object.keys(schema.shape);
  return `insert into ${table} (${columns.join(", ")})
    select ${columns.map((column) => `value ->> '${column}'`).join(", ")} from json_each(?) where true`;
}

/** A row's values in the order of its columns. */
export function valuesOf(schema: z.ZodObject, row: Record<string, Binding>): Binding[] {
  return Object.keys(schema.shape).map((column) => row[column] ?? null);
}
