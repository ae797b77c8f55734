/** A local Edgeboard that can be killed like a machine that loses its power, and started again on what is left. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localSecrets } from "../../src/local/secrets.ts";
import { freePort } from "../demo/scratch.ts";
import { bundle } from "../support/bundle.ts";
import { descendants } from "./processes.ts";
import type { RuntimePlan } from "./runtime.ts";

const WORKER = join(import.meta.dirname, "../../src/index.ts");

export class Killable {
  readonly url: string;
  readonly operatorToken: string;
  /** Where its boards lie. */
  readonly storage: string;
  readonly #plan: RuntimePlan;
  #running: ChildProcess;
  /** Has loaded what it needs and waits for its turn: loading takes longer than starting. */
  #next: ChildProcess;

  private constructor(plan: RuntimePlan, running: ChildProcess) {
    this.#plan = plan;
    this.#running = running;
    this.#next = load();
    this.url = `http://127.0.0.1:${plan.port}`;
    this.operatorToken = plan.secrets.EDGEBOARD_OPERATOR_TOKEN;
    this.storage = plan.storage;
  }

  static async start(): Promise<Killable> {
    const storage = mkdtempSync(join(tmpdir(), "edgeboard-crash-"));
    process.on("exit", () => rmSync(storage, { recursive: true, force: true }));
    const secrets = localSecrets(join(storage, ".dev.vars"), {} as NodeJS.ProcessEnv);
    const plan = { port: await freePort(), storage, secrets, code: await bundle(WORKER) };
    return new Killable(plan, await begin(load(), plan));
  }

  /** The processes the runtime consists of. */
  get pids(): number[] {
    const pid = this.#running.pid as number;
    return [...descendants(pid), pid];
  }

  /** SIGKILL for the runtime and everything it started: no word of farewell, nothing written at the end. */
  async kill(): Promise<void> {
    const exited = once(this.#running, "exit");
    for (const pid of this.pids) killQuietly(pid);
    await exited;
  }

  async restart(): Promise<void> {
    this.#running = await begin(this.#next, this.#plan);
    this.#next = load();
  }

  async stop(): Promise<void> {
    this.#next.kill("SIGKILL");
    await this.kill();
  }
}

function load(): ChildProcess {
  return fork(join(import.meta.dirname, "runtime.ts"), { stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

/** Resolves when it answers. */
async function begin(loaded: ChildProcess, plan: RuntimePlan): Promise<ChildProcess> {
  const early = once(loaded, "exit").then(([code]) => {
    throw new Error(`the runtime ended with ${code} before it answered`);
  });
  loaded.send(plan);
  await Promise.race([once(loaded, "message"), early]);
  early.catch(() => {});
  return loaded;
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {}
}
