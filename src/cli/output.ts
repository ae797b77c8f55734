/** What a command says: answers on standard output, as JSON or for people; everything else on standard error. */
import pc from "picocolors";
import type { Told } from "./failure.ts";

export type Colors = ReturnType<typeof pc.createColors>;

export interface Streams {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
}

export class Output {
  readonly json: boolean;
  readonly streams: Streams;
  readonly colors: Colors;
  /** Of standard error: a person sees what happens on the way. */
  readonly watched: boolean;
  readonly #plain: boolean;

  constructor(streams: Streams, json: boolean, env: Record<string, string | undefined>) {
    this.json = json;
    this.streams = streams;
    this.#plain = Boolean(env["NO_COLOR"]) || env["TERM"] === "dumb";
    this.colors = pc.createColors(streams.stdout.isTTY === true && !this.#plain);
    this.watched = streams.stderr.isTTY === true && !json;
  }

  /** Columns to fill; null: as many as it takes, since nobody looks at it. */
  get width(): number | null {
    return this.streams.stdout.isTTY === true ? this.streams.stdout.columns : null;
  }

  /** The answer, as it came or as people read it. */
  async answer(value: unknown, shown: () => string | Promise<string>): Promise<void> {
    const indent = this.streams.stdout.isTTY === true ? 2 : 0;
    this.line(this.json ? JSON.stringify(value ?? null, null, indent) : await shown());
  }

  line(text: string): void {
    if (text !== "") this.streams.stdout.write(`${text}\n`);
  }

  /** A word beside the answer, for people. */
  note(text: string): void {
    if (!this.json) this.streams.stderr.write(`${text}\n`);
  }

  /** One line, whatever it is: for people, or as JSON. */
  failure(told: Told): void {
    const { message, next, problem, exit } = told;
    if (this.json) {
      const words = { detail: message, ...(next === undefined ? {} : { hint: next }), exit };
      this.streams.stderr.write(`${JSON.stringify({ ...problem, ...words })}\n`);
      return;
    }
    const colors = pc.createColors(this.streams.stderr.isTTY === true && !this.#plain);
    const line = [colors.red("edgeboard:"), oneLine(message), colors.dim(oneLine(next ?? ""))];
    this.streams.stderr.write(
      `${line
        .filter((part) => part !== "")
        .join(" ")
        .trimEnd()}\n`,
    );
  }
}

/** Whoever wrote a title must not steer the terminal it is shown on: no control characters, no turned direction. */
export function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

export function oneLine(text: string): string {
  return clean(text.replace(/\s+/g, " ")).trim();
}
