/** The worker processes: starts them, counts what they report, kills some while they hold a task. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { WORKER_ENV, type WorkerReport } from "./reports.ts";

/**
 * Up to this many workers stay below the server's 600 requests a second for one address on a fast machine;
 * each one more has all of them pause longer between tasks. Leases last two seconds here, so a worker that has
 * to wait ten after a refused beat would look like a dead one.
 */
const UNPACED_WORKERS = 16;
const PAUSE_PER_WORKER_MS = 10;

export interface Tally {
  claims: number;
  conflicts: number;
  beats: number;
  /** Leases that ran out under a worker that was too slow to beat. */
  lost: number;
  /** A sentence for each worker that was killed. */
  kills: string[];
}

export interface CrewOptions {
  boardUrl: string;
  /** One worker for each. */
  tokens: string[];
  kill: number;
  /** How many tasks lie before them: the kills are spread over these. */
  tasks: number;
  onKill: (note: string) => void;
}

export class Crew {
  readonly tally: Tally = { claims: 0, conflicts: 0, beats: 0, lost: 0, kills: [] };
  readonly #options: CrewOptions;
  readonly #workers = new Set<ChildProcess>();

  constructor(options: CrewOptions) {
    this.#options = options;
    for (const [index, token] of options.tokens.entries()) this.#hire(`worker-${index + 1}`, token);
  }

  get size(): number {
    return this.#workers.size;
  }

  /** Sends home whoever is left; resolves when the last one has gone. */
  async dismiss(): Promise<void> {
    const leaving = [...this.#workers].map((worker) => {
      const gone = once(worker, "exit");
      // One that hangs goes too; whatever it still holds is the board's to recover.
      worker.kill("SIGKILL");
      return gone;
    });
    await Promise.all(leaving);
  }

  #hire(name: string, token: string): void {
    const pause = Math.max(0, this.#options.tokens.length - UNPACED_WORKERS) * PAUSE_PER_WORKER_MS;
    const worker = fork(join(import.meta.dirname, "worker.ts"), {
      env: {
        ...process.env,
        [WORKER_ENV.board]: this.#options.boardUrl,
        [WORKER_ENV.token]: token,
        [WORKER_ENV.pauseMs]: String(pause),
      },
    });
    this.#workers.add(worker);
    worker.on("exit", () => this.#workers.delete(worker));
    worker.on("message", (report: WorkerReport) => this.#hear(name, worker, report));
  }

  #hear(name: string, worker: ChildProcess, report: WorkerReport): void {
    switch (report.kind) {
      case "holding":
        this.tally.claims++;
        if (this.#isKillDue()) this.#kill(name, worker, report.task);
        break;
      case "conflict":
        this.tally.conflicts++;
        break;
      case "beat":
        this.tally.beats++;
        break;
      case "lost":
        this.tally.lost++;
        break;
    }
  }

  /**
   * Spread evenly, and counted by claims: however small the plan is, there are as many claims as tasks and one
   * more for each task whose worker died, so no kill is left over.
   */
  #isKillDue(): boolean {
    const { kill, tasks } = this.#options;
    const killed = this.tally.kills.length;
    return killed < kill && this.tally.claims > (tasks * (killed + 1)) / (kill + 1);
  }

  #kill(name: string, worker: ChildProcess, task: string): void {
    worker.kill("SIGKILL");
    const note = `killed ${name} while it held ${task}`;
    this.tally.kills.push(note);
    this.#options.onKill(note);
  }
}
