/** One `edgeboard work` of the fleet, as a process: what it says, and what is done to it. */
import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Told } from "../../src/cli/work/told.ts";

const PROGRAM = join(import.meta.dirname, "../../src/cli/edgeboard.ts");

export type Claimed = Extract<Told, { event: "claimed" }>;

export class Runner {
  readonly name: string;
  /** What it holds, as far as it said. */
  held: Claimed | null = null;
  readonly exited: Promise<number | null>;
  readonly #process: ChildProcess;

  constructor(
    name: string,
    exec: string,
    env: Record<string, string>,
    hear: (runner: Runner, told: Told) => void,
  ) {
    this.name = name;
    this.#process = spawn(process.execPath, [PROGRAM, "work", "--json", "--exec", exec], {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    this.exited = new Promise((resolve) => this.#process.once("exit", (code) => resolve(code)));
    const { stdout } = this.#process;
    if (stdout === null) throw new Error("a runner has to be heard");
    createInterface(stdout).on("line", (line) => {
      const told = JSON.parse(line) as Told;
      if (told.event === "claimed") this.held = told;
      hear(this, told);
      if (told.event === "ended") this.held = null;
    });
  }

  signal(name: NodeJS.Signals): void {
    this.#process.kill(name);
  }
}
