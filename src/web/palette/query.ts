/** What somebody means who types into the palette. */

/** Every word of the query stands somewhere in the text. */
export function fits(text: string, query: string): boolean {
  const within = text.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => within.includes(word));
}

/** `12`, `n12` and `#12` name a task. */
export function readNumber(query: string): number | null {
  const match = /^[n#]?(\d{1,9})$/i.exec(query);
  return match === null ? null : Number(match[1]);
}
