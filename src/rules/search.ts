/**
 * What a search asks for. A text is split into terms at white space, and every character of a term stands for
 * itself: there are no operators. The index is asked by pieces of three characters and only proposes; `missingIn`
 * decides.
 */
import { SEARCH_PIECES_MAX } from "../contract/limits.ts";

/** The index knows texts by pieces of this many characters (code points). */
const PIECE = 3;

/** The different terms of a text, longest first. One that lies within another asks for nothing more. */
export function readTerms(text: string): string[] {
  const words = [...new Set(text.split(/\s+/u))].filter((word) => word !== "");
  return words
    .filter((word) => !words.some((other) => other !== word && other.includes(word)))
    .sort((a, b) => b.length - a.length);
}

/** Whether the index can be asked for a term at all. */
export function isIndexed(term: string): boolean {
  return [...term].length >= PIECE;
}

/**
 * A term as the index is asked for it: its pieces, each one quoted, so that nothing in it is an operator. A
 * long term is asked for by some of them, from its beginning to its end.
 */
export function indexQuery(term: string): string {
  const points = [...term];
  const last = points.length - PIECE;
  const count = Math.min(last + 1, SEARCH_PIECES_MAX);
  const starts = Array.from({ length: count }, (_, i) =>
    i === 0 ? 0 : Math.round((i * last) / (count - 1)),
  );
  const pieces = new Set(starts.map((start) => points.slice(start, start + PIECE).join("")));
  return [...pieces].map((piece) => `"${piece.replaceAll('"', '""')}"`).join(" AND ");
}

/**
 * How a short term may stand in the index, which keeps one case only: as written, where it knows no case of
 * it, or in lower case, which some letters (µ, ſ) have only by way of their upper case. Two noncharacters
 * stand there as the replacement character.
 */
export function spellings(term: string): string[] {
  const written = term.replaceAll(/[\ufffe\uffff]/g, "\ufffd");
  return [...new Set([written, written.toLowerCase(), written.toUpperCase().toLowerCase()])];
}

/** One spelling for all cases of a text. A sigma is the same letter at the end of a word. */
export function fold(text: string): string {
  return text.toLowerCase().replaceAll("ς", "σ");
}

/** The terms, already folded, that a text does not hold. */
export function missingIn(text: string, terms: readonly string[]): string[] {
  const folded = fold(text);
  return terms.filter((term) => !folded.includes(term));
}
