/** A source as it arrives: one text, or many that only together make lines. It can be gone through again. */
export type Source = string | Iterable<string>;

export interface SourceLine {
  /** From 1, blank lines counted. */
  number: number;
  text: string;
}

/** Every line that is not blank. Of one longer than `maxChars`, just enough to show that it is. */
export function* linesOf(source: Source, maxChars = Number.POSITIVE_INFINITY): Generator<SourceLine> {
  let number = 1;
  let pending = "";
  const append = (more: string) => {
    if (pending.length <= maxChars) pending += more;
  };
  for (const text of typeof source === "string" ? [source] : source) {
    let start = 0;
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
      append(text.slice(start, end));
      if (pending.trim() !== "") yield { number, text: pending };
      pending = "";
      start = end + 1;
      number++;
    }
    append(text.slice(start));
  }
  if (pending.trim() !== "") yield { number, text: pending };
}

/** The whole of it, for formats that are one document. */
export function textOf(source: Source): string {
  return typeof source === "string" ? source : [...source].join("");
}
