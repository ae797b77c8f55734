/** Asks a person for something that is not to be seen on the screen. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import type { Context } from "./context.ts";

export async function askSecret({ output }: Context, question: string): Promise<string> {
  const { stdin, stderr } = output.streams;
  stderr.write(question);
  // The terminal is told to echo nothing, and what readline would echo goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  try {
    return await lines.question("");
  } finally {
    lines.close();
    stderr.write("\n");
  }
}
