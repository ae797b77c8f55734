/** A local Edgeboard that can be killed like a machine that loses its power, and started again on what is left. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localSecrets } from "../../src/local/secrets.ts";
import { type LocalServer, startServer } from "../../src/local/server.ts";
import { freePort } from "../demo/scratch.ts";

export class Killable {
  readonly url: string;
  readonly operatorToken: string;
  readonly #start: () => Promise<LocalServer>;
  #server: LocalServer;

  private constructor(start: () => Promise<LocalServer>, server: LocalServer, operatorToken: string) {
    this.#start = start;
    this.#server = server;
    this.url = server.url;
    this.operatorToken = operatorToken;
  }

  static async start(): Promise<Killable> {
    const storage = mkdtempSync(join(tmpdir(), "edgeboard-crash-"));
    process.on("exit", () => rmSync(storage, { recursive: true, force: true }));
    const secrets = localSecrets(join(storage, ".dev.vars"), {} as NodeJS.ProcessEnv);
    const port = await freePort();
    const start = () => startServer({ port, secrets, storage });
    return new Killable(start, await start(), secrets.EDGEBOARD_OPERATOR_TOKEN);
  }

  /** SIGKILL for the runtime and everything it started: no word of farewell, nothing written at the end. */
  async kill(): Promise<void> {
    for (const pid of [...descendants(this.#server.pid), this.#server.pid]) killQuietly(pid);
    await this.#server.exited;
  }

  async restart(): Promise<void> {
    this.#server = await this.#start();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }
}

/** Children first. A process that ends meanwhile has no entry any more. */
function descendants(of: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(name);
    if (parent !== null) parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const below = (pid: number): number[] =>
    (parents.get(pid) ?? []).flatMap((child) => [...below(child), child]);
  return below(of);
}

function parentOf(pid: string): number | null {
  try {
    // The name stands in parentheses and may hold anything; what follows it does not.
    const after = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1) ?? "";
    return Number(after.split(" ")[1]);
  } catch {
    return null;
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {}
}
