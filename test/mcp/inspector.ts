/** The protocol's inspector, which says what of our schemas some client will not take. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const SCRIPT = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector/package.json")),
  "clients/launcher/build/index.js",
);

export interface Inspected {
  exit: number;
  tools: number;
  /** What it had to say beside the list. */
  said: string;
}

export async function inspectTools(url: string, token: string): Promise<Inspected> {
  const flags = ["--cli", url, "--transport", "http", "--header", `Authorization: Bearer ${token}`];
  const child = spawn(process.execPath, [SCRIPT, ...flags, "--method", "tools/list", "--strict"]);
  const output = { list: "", said: "" };
  child.stdout.on("data", (data) => {
    output.list += data;
  });
  child.stderr.on("data", (data) => {
    output.said += data;
  });
  const exit = await new Promise<number>((resolve) => child.on("close", (code) => resolve(code ?? 1)));
  const tools = exit === 0 ? (JSON.parse(output.list) as { tools: unknown[] }).tools.length : 0;
  return { exit, tools, said: output.said.trim() };
}
