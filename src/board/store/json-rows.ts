import { SQL_JSON_MAX_CHARS } from "../../contract/limits.ts";

/**
 * Rows, or ids, as JSON arrays for `json_each(?)`, one statement's worth each: the platform allows 100
 * parameters and 2 MB a string, so bulk work travels as few large parameters instead of many small ones.
 */
export function* jsonChunks(rows: Iterable<object | string>): Generator<string> {
  let parts: string[] = [];
  let size = 0;
  for (const row of rows) {
    const part = JSON.stringify(row);
    if (parts.length > 0 && size + part.length > SQL_JSON_MAX_CHARS) {
      yield `[${parts.join(",")}]`;
      parts = [];
      size = 0;
    }
    parts.push(part);
    size += part.length + 1;
  }
  if (parts.length > 0) yield `[${parts.join(",")}]`;
}
