/** Whether two values of JSON say the same. An answer that says nothing new has to draw nothing. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  const mine = Object.keys(a);
  if (mine.length !== Object.keys(b).length) return false;
  return mine.every((name) =>
    same((a as Record<string, unknown>)[name], (b as Record<string, unknown>)[name]),
  );
}
