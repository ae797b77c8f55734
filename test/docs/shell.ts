/**
 * One shell for a page: what a block sets, the next one has. Every command has to succeed, also inside of a pipe and
 * before an `&&`, and a variable that nobody has set is an error.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { commandsOf } from "./commands.ts";

/** Commands come in on one pipe, as JSON would not be read by a shell: by their length. How each ended goes out on another. */
const LOOP = `set -u -o pipefail
while read -r length <&3; do
  IFS= read -r -N "$length" command <&3
  eval "$command" </dev/null
  echo "$?" >&4
done`;

const PATIENCE_MS = 120_000;

export class Shell {
  readonly #process: ChildProcess;
  #said = "";
  #ended = "";

  constructor(folder: string, env: Record<string, string>) {
    // Of a session of its own, so that what it leaves in the background can be ended with it.
    this.#process = spawn("bash", ["--noprofile", "--norc", "-c", LOOP], {
      cwd: folder,
      env: env as NodeJS.ProcessEnv,
      stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
      detached: true,
    });
    for (const stream of [this.#process.stdout, this.#process.stderr])
      stream?.on("data", (data: Buffer) => {
        this.#said += data;
      });
    (this.#process.stdio[4] as Readable).on("data", (data: Buffer) => {
      this.#ended += data;
    });
  }

  /** Pastes a block, and answers what was said meanwhile. Throws at the first command that fails. */
  async paste(text: string): Promise<string> {
    const before = this.#said.length;
    for (const command of commandsOf(text)) {
      const status = await this.#run(command);
      if (status !== "0")
        throw new Error(`ended with ${status}: ${command}\n\n${last(this.#said.slice(before))}`);
    }
    return this.#said.slice(before);
  }

  /** Starts what does not end by itself, and waits until it has said what it is to say. */
  async begin(text: string, says: string): Promise<void> {
    const before = this.#said.length;
    await this.#run(`{\n${text}\n} &`);
    await this.#until(() => this.#said.slice(before).includes(says), `to hear "${says}"`);
  }

  async end(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#process;
    const gone = exitCode === null && signalCode === null ? once(this.#process, "close") : null;
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      killGroup(pid as number, signal);
      if (signal === "SIGTERM")
        await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, 5_000))]);
    }
    await gone;
  }

  async #run(command: string): Promise<string> {
    this.#ended = "";
    // Bash counts characters by its locale; the environment says UTF-8.
    (this.#process.stdio[3] as Writable).write(`${[...command].length}\n${command}`);
    await this.#until(() => this.#ended.includes("\n"), `for: ${command}`);
    return this.#ended.trim();
  }

  async #until(come: () => boolean, what: string): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS;
    while (!come()) {
      const over = performance.now() > deadline ? "took too long" : this.#process.exitCode;
      if (over !== null) throw new Error(`waited in vain (${over}) ${what}\n\n${last(this.#said)}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** What was said last is what tells why. */
const last = (said: string): string => said.slice(-3_000);

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {}
}
