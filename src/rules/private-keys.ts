/**
 * Private keys in PEM, over many lines. The end of an output begins and stops anywhere, so a block may have lost its
 * first line or its last one: what is left of it is a secret all the same.
 */

const FENCE = /-----(BEGIN|END) (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
/** What a key is written in. Where it stands in a string, its lines are parted by an escape. */
const KEY_LINE = /^(?:[A-Za-z0-9+/=]|\\[nr])*\\?$/;
const HEADER_LINE = /^[A-Za-z0-9-]{1,40}: [^\n]{1,200}$/;
/** A shorter line is a word of somebody's, but for the last one of a key. */
const KEY_LINE_MIN = 16;

export function maskPrivateKeys(text: string, marker: string): string {
  let masked = "";
  let from = 0;
  for (const fence of text.matchAll(new RegExp(FENCE, "g"))) {
    if (fence.index < from) continue;
    const after = fence.index + fence[0].length;
    const begins = fence[1] === "BEGIN";
    const start = begins ? fence.index : startOfKey(text, from, fence.index);
    masked += text.slice(from, start) + marker;
    from = begins ? endOfKey(text, after) : after;
  }
  return from === 0 ? text : masked + text.slice(from);
}

/** Behind the line that ends it, whatever lies between; where that is missing, behind its last line. */
function endOfKey(text: string, from: number): number {
  const next = text.indexOf("-----", from);
  const fence = next === -1 ? null : new RegExp(FENCE, "y");
  if (fence !== null) fence.lastIndex = next;
  const found = fence?.exec(text);
  if (found?.[1] === "END") return next + found[0].length;
  let end = from;
  for (let at = from; at < text.length; ) {
    const lineEnd = lineEndAfter(text, at);
    const line = text.slice(at, lineEnd).trim();
    const whole = line.length >= KEY_LINE_MIN || lineEnd === text.length;
    if (line !== "" && !(whole && KEY_LINE.test(line)) && !HEADER_LINE.test(line)) break;
    if (line !== "") end = lineEnd;
    at = lineEnd + 1;
  }
  return end;
}

/** Back over lines of nothing but key, the last of which may be short. */
function startOfKey(text: string, from: number, end: number): number {
  let start = end;
  let lineEnd = text[end - 1] === "\n" ? end - 1 : end;
  while (lineEnd > from) {
    const lineStart = Math.max(text.lastIndexOf("\n", lineEnd - 1) + 1, from);
    const line = text.slice(lineStart, lineEnd).trim();
    if (!KEY_LINE.test(line)) break;
    const isLast = lineEnd >= end - 1;
    if (line.length < KEY_LINE_MIN && !isLast) break;
    if (line.length >= KEY_LINE_MIN) start = lineStart;
    lineEnd = lineStart - 1;
  }
  return start;
}

function lineEndAfter(text: string, from: number): number {
  const at = text.indexOf("\n", from);
  return at === -1 ? text.length : at;
}
