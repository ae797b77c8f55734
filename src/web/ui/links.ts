/** Where agents' text names an address. Only http and https become links: everything else stays text. */

export type Piece = string | { href: string };

const ADDRESS = /https?:\/\/[^\s<>"'`]+/gi;
/** What ends a sentence rather than an address. */
const TAIL = /[.,;:!?…*_~]+$/;
const CLOSING: Record<string, string> = { ")": "(", "]": "[", "}": "{" };

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

/** Without what belongs to the sentence around it: a bracket that was not opened within, a full stop. */
function trimmed(found: string): string {
  let href = found;
  for (;;) {
    const last = href.at(-1) ?? "";
    const opening = CLOSING[last];
    const closes = opening !== undefined && href.split(last).length > href.split(opening).length;
    const shorter = closes ? href.slice(0, -1) : href.replace(TAIL, "");
    if (shorter === href) return href;
    href = shorter;
  }
}
