/** `edgeboard work`: what is checked before the first claim, and the loop over tasks until there is a reason to stop. */
import { type Board, type Directive, type Ended, type Job, type Tally, work } from "../../client/index.ts";
import { WAIT_MAX_MS } from "../../contract/limits.ts";
import { ROLES } from "../../contract/roles.ts";
import { EXIT, Failure, Misused } from "../failure.ts";
import { runTask, type Setup } from "./run-task.ts";
import type { Tell } from "./told.ts";
import { commitOf, repositoryOf } from "./worktree.ts";

/**
 * Of a lease's life, so much is spent waiting for it at most: it is counted from when it was asked for, and one that
 * seems old from the start is given up at the first slow beat. At the default this is no limit.
 */
const WAIT_SHARE = 1 / 6;

export interface RunnerOptions {
  exec: string;
  verify: string | null;
  worktree: boolean;
  /** What a new worktree begins from; it is looked up for each task anew. */
  base: string;
  concurrency: number;
  /** One task for each place, and none where there is none. */
  once: boolean;
  maxFixes: number;
  runtime: string | undefined;
  labels: string[];
  cwd: string;
}

export interface Surroundings {
  board: Board;
  /** Drain: what is in hand is given back. */
  signal: AbortSignal;
  tell: Tell;
}

export async function runWork({ board, signal, tell }: Surroundings, options: RunnerOptions): Promise<Tally> {
  const repository = options.worktree ? await findRepository(options) : null;
  const [id, me, { board: about }] = await Promise.all([
    board.id({ signal }),
    board.server.me({ signal }),
    board.get({ signal }),
  ]);
  if (options.verify !== null) requireVerifier(me.role);
  const { exec, verify, maxFixes, cwd } = options;
  const runtime = options.runtime ?? me.runtime ?? undefined;
  const { requireVerification: requiresVerdict, leaseTtlMs } = about.settings;
  const setup: Setup = { exec, verify, maxFixes, runtime, board: id, cwd, repository, requiresVerdict, tell };
  tell({ event: "started", board: id, agent: me.agentId, repository: repository?.path ?? null });
  signal.addEventListener("abort", () => tell({ event: "stopping" }), { once: true });
  const enough = new AbortController();
  const handler = (job: Job) => {
    announce(job, tell);
    return runTask(setup, job);
  };
  return work(board, handler, {
    concurrency: options.concurrency,
    filter: {
      ...(options.runtime === undefined ? {} : { runtime: options.runtime }),
      ...(options.labels.length === 0 ? {} : { labels: options.labels }),
    },
    signal,
    enough: enough.signal,
    waitMs: Math.min(WAIT_MAX_MS, Math.floor(leaseTtlMs * WAIT_SHARE)),
    ...(options.once ? { limit: options.concurrency, untilEmpty: true } : {}),
    onDirective: (job, directive) => void heed(board, job, directive, enough, tell),
    onEnd: (job, ended) => tell(endOf(job, ended)),
    onTrouble: (error) => tell({ event: "trouble", error: messageOf(error) }),
  });
}

function announce({ task, lease }: Job, tell: Tell): void {
  const name = `n${task.number}`;
  tell({ event: "claimed", task: name, taskId: task.id, title: task.title, epoch: lease.epoch });
  const lost = () => tell({ event: "lost", task: name, reason: messageOf(lease.signal.reason) });
  lease.signal.addEventListener("abort", lost, { once: true });
}

/** Where a gate is to be recorded the token has to allow it: better told now than after the first task. */
function requireVerifier(role: string): void {
  const needed = ROLES.indexOf("verifier");
  if (role !== "operator" && (ROLES as readonly string[]).indexOf(role) < needed)
    throw new Failure(
      `--verify records verdicts, and this token is only a ${role}'s.`,
      "Mint one with `edgeboard token create <agent> --role verifier`.",
      EXIT.auth,
    );
}

async function findRepository({ cwd, base }: RunnerOptions): Promise<{ path: string; base: string }> {
  let path: string;
  try {
    path = await repositoryOf(cwd);
  } catch {
    throw new Misused(`--worktree needs a git repository, and ${cwd} is in none.`, "Start it in one.");
  }
  try {
    await commitOf(path, base);
  } catch {
    throw new Misused(`--base ${base} is no commit of ${path}.`, "Name a branch, a tag or a commit.");
  }
  return { path, base };
}

/**
 * The client has stopped the task for `cancel` and `budget_stop`. `drain` lets it end, and nothing new is taken; but a
 * pause of the board says so too, and that ends by itself.
 */
async function heed(
  board: Board,
  { task }: Job,
  { kind, reason }: Directive,
  enough: AbortController,
  tell: Tell,
): Promise<void> {
  tell({ event: "directive", task: `n${task.number}`, kind, reason });
  if (kind !== "drain") return;
  const paused = await board.get().then(
    (answer) => answer.board.paused,
    () => false,
  );
  if (paused || enough.signal.aborted) return;
  enough.abort();
  tell({ event: "enough" });
}

function endOf({ task }: Job, { how, error }: Ended): Parameters<Tell>[0] {
  return {
    event: "ended",
    task: `n${task.number}`,
    how,
    error: error === undefined ? null : messageOf(error),
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
