/** What tests of the runner work with: a server, boards with short leases, repositories, and runners in this process. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RunnerOptions, runWork } from "../../src/cli/work/runner.ts";
import type { Told } from "../../src/cli/work/told.ts";
import { type Board, type Body, Edgeboard, type Tally } from "../../src/client/index.ts";
import { type Scratch, startScratch } from "../demo/scratch.ts";

/** A lost lease is heard of within a third of a second; a failed task may be tried again at once. */
const SETTINGS = {
  leaseTtlMs: 5_000,
  beatEveryMs: 300,
  sweepEveryMs: 500,
  backoff: { firstMs: 0, stepMs: 0, maxMs: 0 },
};

const PROGRAM = join(import.meta.dirname, "../../src/cli/edgeboard.ts");

export interface Running {
  told: Told[];
  /** Resolves at the first that fits, also when it came before. */
  heard: <E extends Told["event"]>(event: E, task?: string) => Promise<Extract<Told, { event: E }>>;
  stop: () => void;
  ended: Promise<Tally>;
}

export class Workshop {
  readonly #server: Scratch;
  readonly #folders: string[] = [];
  readonly #programs: ChildProcess[] = [];
  #boards = 0;

  private constructor(server: Scratch) {
    this.#server = server;
  }

  static async open(): Promise<Workshop> {
    return new Workshop(await startScratch());
  }

  async close(): Promise<void> {
    for (const program of this.#programs) program.kill("SIGKILL");
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true });
    await this.#server.stop();
  }

  get url(): string {
    return this.#server.url;
  }

  /** A new board, called by its lead. */
  async board(settings: Body<"createBoard">["settings"] = {}): Promise<Board> {
    const { url, operatorToken } = this.#server;
    const operator = new Edgeboard({ url, token: operatorToken });
    const id = `work-${++this.#boards}`;
    const { token } = await operator.createBoard({ id, name: id, settings: { ...SETTINGS, ...settings } });
    return new Edgeboard({ url, token }).board(id);
  }

  async tokenFor(
    board: Board,
    agentId: string,
    role: "worker" | "verifier" | "lead" = "verifier",
  ): Promise<string> {
    return (await board.mintToken({ agentId, role })).token;
  }

  folder(): string {
    const made = realpathSync(mkdtempSync(join(tmpdir(), "edgeboard-test-")));
    this.#folders.push(made);
    return made;
  }

  /** A repository with one commit; its worktrees lie beside it, in a folder that goes with it. */
  repository(): string {
    const path = join(this.folder(), "repo");
    execFileSync("git", ["init", "--quiet", "--initial-branch=main", path]);
    shell(path, "git config user.name Test && git config user.email test@example.org");
    writeFileSync(join(path, "shared.txt"), "as it was\n");
    shell(path, "git add . && git commit --quiet -m first");
    return path;
  }

  /** `edgeboard work`, as a process of its own. */
  async program(board: Board, words: string[], cwd = this.folder()): Promise<ChildProcess> {
    const token = await this.tokenFor(board, "program");
    const program = spawn(process.execPath, [PROGRAM, "work", ...words], {
      cwd,
      env: { ...process.env, EDGEBOARD_URL: this.#server.url, EDGEBOARD_TOKEN: token },
      stdio: ["ignore", "ignore", "inherit"],
    });
    this.#programs.push(program);
    return program;
  }

  /** A runner under a token of its own. */
  async runner(
    board: Board,
    options: Partial<RunnerOptions> & { exec: string },
    agentId = "runner",
  ): Promise<Running> {
    const token = await this.tokenFor(board, agentId);
    const mine = new Edgeboard({ url: this.#server.url, token }).board(await board.id());
    return run(mine, { cwd: this.folder(), ...options });
  }
}

export function run(board: Board, options: Partial<RunnerOptions> & { exec: string; cwd: string }): Running {
  const stop = new AbortController();
  const told: Told[] = [];
  const waiting = new Set<() => void>();
  const tell = (one: Told) => {
    told.push(one);
    for (const look of waiting) look();
  };
  const heard = (event: Told["event"], task?: string) =>
    new Promise<Told>((resolve) => {
      const look = () => {
        const found = told.find((one) => one.event === event && (task === undefined || taskOf(one) === task));
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  const defaults = {
    verify: null,
    worktree: false,
    base: "HEAD",
    concurrency: 1,
    once: true,
    maxFixes: 2,
    runtime: undefined,
    labels: [],
  };
  const ended = runWork({ board, signal: stop.signal, tell }, { ...defaults, ...options });
  ended.catch(() => {});
  return { told, heard: heard as Running["heard"], stop: () => stop.abort(), ended };
}

const taskOf = (told: Told): string | null => ("task" in told ? told.task : null);

export function shell(cwd: string, command: string): string {
  return execFileSync("/bin/sh", ["-c", command], { cwd, encoding: "utf8" }).trim();
}
