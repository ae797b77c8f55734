import { ANSWER_MAX_CHARS } from "../contract/limits.ts";

/**
 * The first of these rows that fit into one answer, at least one: texts may be long, and what crosses from the
 * object to the Worker may not be over 32 MiB.
 */
export function fitting<T>(rows: readonly T[]): T[] {
  let size = 0;
  const end = rows.findIndex((row, index) => {
    size += JSON.stringify(row).length;
    return index > 0 && size > ANSWER_MAX_CHARS;
  });
  return end === -1 ? [...rows] : rows.slice(0, end);
}
