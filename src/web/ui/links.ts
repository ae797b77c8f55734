/** Where agents' text names an address. Only http and https become links: everything else stays text. */

export type Piece = string | { href: string };

const ADDRESS = /https?:\/\/[^\s<>"'`]+/gi;
/** What ends a sentence rather than an address. */
const TAIL = ".,;:!?…*_~";
const BRACKETS = ["()", "[]", "{}"];

/** The text in its order, cut at the addresses in it; put together again it is the same text. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(ADDRESS)) {
    const href = trimmed(found);
    if (!URL.canParse(href)) continue;
    if (index > end) pieces.push(text.slice(end, index));
    pieces.push({ href });
    end = index + href.length;
  }
  if (end < text.length) pieces.push(text.slice(end));
  return pieces;
}

/**
 * Without what belongs to the sentence around it: a full stop, a bracket that was not opened within. In one pass: it
 * is anybody's text, and may be made to take long.
 */
function trimmed(found: string): string {
  const unopened = new Map<string, number>();
  for (const sign of found)
    for (const [opening = "", closing = ""] of BRACKETS)
      if (sign === closing) unopened.set(closing, (unopened.get(closing) ?? 0) + 1);
      else if (sign === opening) unopened.set(closing, (unopened.get(closing) ?? 0) - 1);
  let end = found.length;
  for (; end > 0; end--) {
    const last = found.charAt(end - 1);
    const surplus = unopened.get(last) ?? 0;
    if (surplus > 0) unopened.set(last, surplus - 1);
    else if (!TAIL.includes(last)) break;
  }
  return found.slice(0, end);
}
