/** Writes a client's history to a file, each line before anything else happens: it has to survive its client. */
import { openSync, writeSync } from "node:fs";
import { Refused, Unreachable } from "../../src/client/index.ts";
import type { Call, Facts, Line } from "./operations.ts";

export class Recorder {
  readonly client: string;
  readonly #file: number;
  #calls = 0;

  constructor(client: string, path: string) {
    this.client = client;
    this.#file = openSync(path, "a");
  }

  /** A mark nobody else uses. */
  mark(): string {
    return `${this.client}.${this.#calls}`;
  }

  /** The answer, or null where there was none or a refusal. `learn` says what the answer told. */
  async call<T>(
    call: Call,
    facts: Facts,
    ask: () => Promise<T>,
    learn: (answer: T) => Facts | "nothing" = () => ({}),
  ): Promise<T | null> {
    const id = this.#calls++;
    const end = (type: "ok" | "fail" | "unknown", heard: Facts) =>
      this.#write({ type, client: this.client, id, at: Date.now(), ...heard });
    this.#write({ type: "invoke", client: this.client, id, call, at: Date.now(), ...facts });
    try {
      const answer = await ask();
      const learnt = learn(answer);
      if (learnt === "nothing") end("fail", { code: "nothing" });
      else end("ok", learnt);
      return learnt === "nothing" ? null : answer;
    } catch (error) {
      if (error instanceof Refused) end("fail", { code: error.code });
      else if (error instanceof Unreachable) end("unknown", {});
      else throw error;
      return null;
    }
  }

  #write(line: Line): void {
    writeSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}
