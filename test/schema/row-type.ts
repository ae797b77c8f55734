/** What a row's zod schema says of a column, in the database's words. */
import * as z from "zod";

export interface ColumnType {
  type: "INTEGER" | "REAL" | "TEXT";
  nullable: boolean;
  /** The only values there are, in their order; null: any. */
  values: (string | number)[] | null;
}

interface JsonSchema {
  type?: string;
  const?: string | number;
  enum?: (string | number)[];
  anyOf?: JsonSchema[];
}

const TYPES: Record<string, ColumnType["type"]> = { integer: "INTEGER", number: "REAL", string: "TEXT" };

export function columnTypes(row: z.ZodObject): Map<string, ColumnType> {
  return new Map(Object.entries(row.shape).map(([name, column]) => [name, columnType(column as z.ZodType)]));
}

export function columnType(column: z.ZodType): ColumnType {
  const inner = column instanceof z.ZodNullable ? (column.unwrap() as z.ZodType) : column;
  const nullable = inner !== column;
  const whole = z.toJSONSchema(inner) as JsonSchema;
  const parts = whole.anyOf ?? [whole];
  const consts = parts.flatMap((part) => (part.const === undefined ? [] : [part.const]));
  if (consts.length === parts.length)
    return { type: consts.every(Number.isInteger) ? "INTEGER" : "TEXT", nullable, values: consts };
  const type = parts.length === 1 ? TYPES[whole.type ?? ""] : undefined;
  if (type === undefined) throw new Error(`no column type for ${JSON.stringify(whole)}`);
  return { type, nullable, values: whole.enum ?? null };
}
