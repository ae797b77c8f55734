/** The end of what a command said: little of it, however much was said. */
import { stripVTControlCharacters } from "node:util";
import { mask } from "../../rules/mask.ts";

const TAIL_BYTES = 8_000;

export class Tail {
  readonly #max: number;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(max = TAIL_BYTES) {
    this.#max = max;
  }

  add(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    for (;;) {
      const oldest = this.#chunks[0]?.length ?? 0;
      if (this.#chunks.length === 1 || this.#size - oldest < this.#max) return;
      this.#chunks.shift();
      this.#size -= oldest;
    }
  }

  /** As the board takes it, its secrets masked: whole characters, no colours, no NUL, and a line for each state of a progress bar. */
  get text(): string {
    const kept = Buffer.concat(this.#chunks).subarray(-this.#max);
    // The cut may have gone through a character: at most three bytes of it are left.
    let start = 0;
    if (this.#size > kept.length) while (start < 3 && ((kept[start] ?? 0) & 0xc0) === 0x80) start++;
    const text = stripVTControlCharacters(kept.subarray(start).toString("utf8"));
    return mask(text.replace(/\r\n?/g, "\n").replace(/(?![\n\t])\p{Cc}/gu, ""));
  }
}
