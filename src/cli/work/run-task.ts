/** One task, from its claim to its last word: a place, the command, the gate, fixes, and what is left behind. */
import { type Ending, type Job, LeaseLost } from "../../client/index.ts";
import { type Bench, openBench } from "./bench.ts";
import { type Brief, environmentOf } from "./brief.ts";
import { type Ran, runCommand, type Stop } from "./command.ts";
import { endingOfCommand, endingOfDebt, endingOfSuccess, handoffOf, summaryOf } from "./endings.ts";
import { withoutPointers } from "./git.ts";
import { parseReport, type ReadReport, readReport } from "./report.ts";
import { openScratch, type Scratch } from "./scratch.ts";
import type { Tell } from "./told.ts";
import { failureOf, type Gate, lastWords, passed, verdictOf } from "./verdict.ts";

export interface Setup {
  exec: string;
  verify: string | null;
  maxFixes: number;
  runtime: string | undefined;
  board: string;
  cwd: string;
  repository: { path: string; base: string } | null;
  /** The board lets nothing be done without a verdict. */
  requiresVerdict: boolean;
  tell: Tell;
}

/** A lost lease: well within the second in which nothing of the command may be left. */
const LOST_GRACE_MS = 400;
/** Time for an agent to save what it has. */
const INTERRUPTED_GRACE_MS = 5_000;

export async function runTask(setup: Setup, job: Job): Promise<Ending> {
  const scratch = await openScratch();
  try {
    const bench = await openBench(job, setup);
    return await new TaskRun(setup, job, scratch, bench).run();
  } finally {
    await scratch.remove();
  }
}

class TaskRun {
  readonly #setup: Setup;
  readonly #job: Job;
  readonly #scratch: Scratch;
  readonly #bench: Bench;
  readonly #gates: Gate[] = [];
  readonly #cache = { cacheRead: 0, cacheWrite: 0 };
  #read: ReadReport = parseReport(null);
  #ran: Ran | null = null;

  constructor(setup: Setup, job: Job, scratch: Scratch, bench: Bench) {
    this.#setup = setup;
    this.#job = job;
    this.#scratch = scratch;
    this.#bench = bench;
  }

  async run(): Promise<Ending> {
    this.#tellPlace();
    try {
      const ending = await this.#cycles();
      return { ...ending, ...(await this.#leave(null)) } as Ending;
    } catch (error) {
      await this.#stopped();
      throw error;
    }
  }

  /** Until the gate is green, the command gives up, or every fix was tried. */
  async #cycles(): Promise<Ending> {
    const { verify, maxFixes, requiresVerdict } = this.#setup;
    for (let cycle = 1; ; cycle++) {
      this.#job.signal.throwIfAborted();
      const failed = await this.#work(cycle);
      if (failed !== null) return failed;
      if (verify === null) return endingOfSuccess(this.#read, requiresVerdict);
      const gate = await this.#judge(verify, cycle);
      if (passed(gate)) return endingOfSuccess(this.#read, false);
      if (cycle > maxFixes) return endingOfDebt(failureOf(gate), cycle);
    }
  }

  async #work(cycle: number): Promise<Ending | null> {
    const job = this.#job;
    const { maxFixes } = this.#setup;
    job.keeper.progress(cycle === 1 ? "The command runs." : `Fix ${cycle - 1} of ${maxFixes} is tried.`);
    const brief = this.#brief(cycle);
    await this.#scratch.write(brief);
    const ran = await this.#run(this.#setup.exec, brief);
    this.#ran = ran;
    // Once the lease is lost the report is not looked at either: nothing of it would be said.
    if (!job.lease.signal.aborted) this.#hear(await readReport(this.#scratch.files.report));
    job.signal.throwIfAborted();
    this.#tell({ event: "ran", cycle, exitCode: ran.exitCode, durationMs: ran.durationMs });
    return endingOfCommand(ran, this.#read);
  }

  #hear(read: ReadReport): void {
    this.#read = read;
    const { inputTokens = 0, outputTokens = 0, costUsd = 0, cacheRead = 0, cacheWrite = 0 } = read.report;
    this.#job.keeper.use({ inputTokens, outputTokens, costUsd });
    this.#cache.cacheRead += cacheRead;
    this.#cache.cacheWrite += cacheWrite;
  }

  async #judge(verify: string, cycle: number): Promise<Gate> {
    this.#job.keeper.progress("The verification runs.");
    const ran = await this.#run(verify, this.#brief(cycle));
    this.#job.signal.throwIfAborted();
    const gate = { command: verify, at: Date.now(), ran };
    this.#gates.push(gate);
    await this.#job.lease.setVerification(verdictOf(this.#gates, cycle > this.#setup.maxFixes));
    this.#tell({ event: "verified", cycle, passed: passed(gate), durationMs: ran.durationMs });
    return gate;
  }

  #run(command: string, brief: Brief): Promise<Ran> {
    const { signal, lease } = this.#job;
    const stops: Stop[] = [
      { signal: lease.signal, graceMs: LOST_GRACE_MS },
      { signal, graceMs: INTERRUPTED_GRACE_MS },
    ];
    const { EDGEBOARD_TOKEN: _secret, ...inherited } = withoutPointers(process.env);
    const env = { ...inherited, ...environmentOf(brief, this.#scratch.files, this.#setup.board) };
    return runCommand(command, { cwd: this.#bench.path, env, stops });
  }

  #brief(cycle: number): Brief {
    const { task, handoff, blockers } = this.#job;
    const { worktree } = this.#bench;
    return {
      task,
      handoff: handoff ?? null,
      blockers,
      workspace:
        worktree === null
          ? null
          : {
              path: worktree.path,
              branch: worktree.branch,
              baseSha: worktree.baseSha,
              goesOn: worktree.goesOn,
            },
      verify: this.#setup.verify,
      cycle,
      fixesLeft: this.#setup.verify === null ? 0 : this.#setup.maxFixes + 1 - cycle,
      failure: this.#failure(),
    };
  }

  /** What the last gate found; null where it was green, or none was run. */
  #failure() {
    const last = this.#gates.at(-1);
    return last === undefined || passed(last) ? null : failureOf(last);
  }

  /** Puts the place in order, and says what the board should keep. */
  async #leave(interrupted: string | null) {
    const { kept, ...commits } = await this.#bench.close();
    const { beforeCommit, afterCommit } = this.#read.report;
    const summary = summaryOf(this.#read, this.#ran);
    const { verify, runtime } = this.#setup;
    const known = { ...(beforeCommit && { beforeCommit }), ...(afterCommit && { afterCommit }), ...commits };
    const facts = { verify, runtime, kept, failure: this.#failure(), interrupted };
    const cache = Object.entries(this.#cache).filter(([, amount]) => amount > 0);
    return {
      ...known,
      ...Object.fromEntries(cache),
      ...(summary === undefined ? {} : { summary }),
      handoff: handoffOf(this.#read, { ...facts, afterCommit: known.afterCommit }),
    };
  }

  /** Lost: not a word more, and nothing touched. Interrupted, or broken: the next one is told how far it came. */
  async #stopped(): Promise<void> {
    const { lease, signal } = this.#job;
    if (lease.signal.aborted) return this.#bench.abandon();
    const said = this.#ran === null ? "" : lastWords(this.#ran);
    try {
      const { handoff } = await this.#leave(said === "" ? null : said);
      const why = signal.reason instanceof Error ? signal.reason.message : "";
      this.#job.leave({ ...handoff, whyBlocked: handoff.whyBlocked ?? `Interrupted. ${why}`.trim() });
    } catch (error) {
      if (lease.signal.aborted || error instanceof LeaseLost) return this.#bench.abandon();
      // What is in the worktree stays; the task is given back without a word about it.
    }
  }

  #tellPlace(): void {
    const { worktree } = this.#bench;
    if (worktree !== null)
      this.#tell({
        event: "worktree",
        path: worktree.path,
        branch: worktree.branch,
        goesOn: worktree.goesOn,
      });
  }

  #tell(told: Untasked<Parameters<Tell>[0]>): void {
    this.#setup.tell({ ...told, task: `n${this.#job.task.number}` } as Parameters<Tell>[0]);
  }
}

type Untasked<T> = T extends { task: string } ? Omit<T, "task"> : never;
