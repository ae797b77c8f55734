/** The beginning of a long text, cut where it hurts least. */

export const SHOWN_CHARS = 1_200;
export const SHOWN_LINES = 16;

/** Null: the text is short enough to be shown as it is. */
export function beginningOf(text: string, chars = SHOWN_CHARS, lines = SHOWN_LINES): string | null {
  let end = text.length;
  for (let line = 0, at = -1; line < lines; line++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) break;
    if (line === lines - 1) end = at;
  }
  // A few characters more than that are not worth a button.
  if (end > chars * 1.2) end = chars;
  if (end >= text.trimEnd().length) return null;
  const head = text.slice(0, end);
  const space = head.lastIndexOf(" ");
  const whole = end === chars && space > chars * 0.8 ? head.slice(0, space) : head;
  // Never half of a pair: it would be drawn as a broken sign.
  return whole.isWellFormed() ? whole : whole.slice(0, -1);
}
