/** What is pasted into a shell, taken apart as the shell does it: command by command, each of them whole. */
import { spawnSync } from "node:child_process";

export function commandsOf(text: string): string[] {
  const commands: string[] = [];
  let open = "";
  for (const line of text.split("\n")) {
    open = open === "" ? line : `${open}\n${line}`;
    if (!isWhole(open)) continue;
    if (!/^\s*(#.*)?$/.test(open)) commands.push(open);
    open = "";
  }
  if (open !== "") throw new Error(`this never ends:\n${open}`);
  return commands;
}

/** Whether the shell would begin to run it. What ends inside of a here-document is only warned of. */
function isWhole(command: string): boolean {
  if (/\\$/.test(command)) return false;
  const read = spawnSync("bash", ["-n"], { input: `${command}\n`, encoding: "utf8" });
  return read.status === 0 && read.stderr === "";
}
