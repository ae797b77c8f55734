/** Text from standard input, from a file, or from the line itself. */
import { readFile } from "node:fs/promises";
import type { Context } from "./context.ts";
import { Misused } from "./failure.ts";

export async function readInput(context: Context): Promise<string> {
  const { stdin } = context.output.streams;
  if (stdin.isTTY === true) throw new Misused("Standard input is a terminal.", "Pipe something into it.");
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Buffer | string));
  return Buffer.concat(chunks).toString("utf8");
}

/** `-`: standard input. */
export const textOf = async (context: Context, given: string): Promise<string> =>
  given === "-" ? (await readInput(context)).trimEnd() : given;

/** A file, or standard input for `-`. */
export const contentOf = (context: Context, path: string): Promise<string> =>
  path === "-" ? readInput(context) : readFile(path, "utf8");

export function parsedJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Misused(`${where} is not JSON: ${(error as Error).message}.`, "Mend it and try again.");
  }
}
