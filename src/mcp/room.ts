/**
 * The room an answer has. A result goes out twice, as data and as the text of that data, in which every quote is
 * escaped once more: what something weighs is both together, in bytes.
 */
import { TOOL_ANSWER_MAX_BYTES, TOOL_ANSWER_REST_BYTES } from "../contract/limits.ts";

const encoder = new TextEncoder();

export function weigh(value: unknown): number {
  const data = JSON.stringify(value);
  return bytes(data) + bytes(JSON.stringify(data));
}

const bytes = (text: string) => encoder.encode(text).length;

export class Room {
  left: number;

  constructor(size = TOOL_ANSWER_MAX_BYTES - TOOL_ANSWER_REST_BYTES) {
    this.left = size;
  }

  /** Whether it fitted, and then it is in. */
  take(value: unknown): boolean {
    const weight = weigh(value);
    if (weight > this.left) return false;
    this.left -= weight;
    return true;
  }

  /** As many of these, from the first on, as there is room for. */
  takeList<T>(rows: readonly T[]): T[] {
    const past = rows.findIndex((row) => !this.take(row));
    return rows.slice(0, past === -1 ? rows.length : past);
  }

  /** As much of a text as fits, within `most` bytes of it; a character is never cut in two. */
  takeText(text: string, most = this.left): string {
    const size = Math.min(most, this.left);
    let [fits, tooMuch] = [0, text.length + 1];
    while (tooMuch - fits > 1) {
      const middle = (fits + tooMuch) >> 1;
      if (weigh(text.slice(0, middle)) <= size) fits = middle;
      else tooMuch = middle;
    }
    const whole = fits < text.length && /[\uD800-\uDBFF]/.test(text[fits - 1] ?? "") ? fits - 1 : fits;
    const piece = text.slice(0, whole);
    this.left -= Math.min(weigh(piece), this.left);
    return piece;
  }
}
