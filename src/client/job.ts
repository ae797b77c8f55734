/** One task, from its claim to its last word. */
import { TEXT_MAX } from "../contract/limits.ts";
import type { BlockerSummary, Handoff, Task } from "../contract/task.ts";
import type { Claim } from "./board.ts";
import type { LeaseBody } from "./calls.ts";
import { Refused } from "./errors.ts";
import type { Directive, Keeper } from "./keeper.ts";
import type { Lease } from "./lease.ts";

/** What a handler is given. */
export interface Job {
  task: Task;
  lease: Lease;
  keeper: Keeper;
  /**
   * Aborted when the work has to stop at once: with a `LeaseLost`, after which nothing is written, or with an
   * `Interrupted`, after which the task is given back.
   */
  signal: AbortSignal;
  /** What the last holder left. */
  handoff: Handoff | undefined;
  /** What was said of the tasks this one waited for. */
  blockers: BlockerSummary[];
  /** What the next holder has to know, should this one be interrupted from now on. */
  leave: (handoff: Handoff) => void;
}

type Completion = LeaseBody<"completeTask">;

/** How a handler says that it is done; `released` gives the task back. Without a word it succeeded. */
export type Ending =
  | (Omit<Completion, "outcome" | "status"> & { outcome?: "succeeded"; status?: "done" | "in_review" })
  | (Omit<Completion, "outcome" | "status"> & {
      outcome: "failed";
      status?: "todo" | "blocked" | "in_review";
    })
  | { outcome: "released"; reason?: string; handoff?: Handoff };

// biome-ignore lint/suspicious/noConfusingVoidType: a handler without a return is the common one
export type Handler = (job: Job) => Ending | void | Promise<Ending | void>;

export interface JobOptions {
  /** How long a handler may take to stop, once its signal is aborted. Its task is given back then all the same. */
  graceMs?: number;
  onDirective?: (job: Job, directive: Directive) => void;
  onEnd?: (job: Job, ended: Ended) => void;
}

/** `unknown`: the last word could not be delivered. The board finds out by itself when the lease runs out. */
export interface Ended {
  how: "succeeded" | "failed" | "released" | "lost" | "unknown";
  error?: unknown;
}

/** Why a handler was told to stop while its lease was good. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
  readonly kind: Directive["kind"];

  constructor(kind: Interrupted["kind"], reason: string) {
    super(reason);
    this.kind = kind;
  }
}

const GRACE_MS = 10_000;

export async function runJob(
  claim: Claim,
  handler: Handler,
  drain: AbortSignal,
  options: JobOptions,
): Promise<Ended> {
  const stop = new AbortController();
  const { lease, task, handoff, blockers = [] } = claim;
  let left: Handoff | undefined;
  const keeper = lease.keep({
    onDirective: (directive) => {
      options.onDirective?.(job, directive);
      // `drain` asks to finish what is in hand and to take nothing new; a drained board hands nothing out anyway.
      if (directive.kind !== "drain") stop.abort(new Interrupted(directive.kind, directive.reason ?? ""));
    },
  });
  const signal = AbortSignal.any([lease.signal, stop.signal, drain]);
  const job: Job = {
    ...{ task, lease, keeper, signal, handoff, blockers },
    leave: (handoff) => {
      left = handoff;
    },
  };
  const result = await settled(job, handler, options.graceMs ?? GRACE_MS);
  const ended = await conclude(job, result, left);
  lease.abandon();
  options.onEnd?.(job, ended);
  return ended;
}

type Result = { ending: Ending | undefined } | { error: unknown };

/** What the handler says in the end; or, when it does not heed its signal, that it was stopped. */
async function settled(job: Job, handler: Handler, graceMs: number): Promise<Result> {
  const { signal, lease } = job;
  const over = new AbortController();
  const said = run(job, handler);
  const overdue = new Promise<Result>((resolve) => {
    const late = () => {
      void lease.board.server.clock
        .pause(graceMs, over.signal)
        .then(() => resolve({ error: new Error("The work did not stop when it was told to.") }));
    };
    if (signal.aborted) late();
    else signal.addEventListener("abort", late, { once: true });
    over.signal.addEventListener("abort", () => signal.removeEventListener("abort", late));
  });
  const result = await Promise.race([said, overdue]);
  over.abort();
  return result;
}

async function run(job: Job, handler: Handler): Promise<Result> {
  try {
    return { ending: (await handler(job)) ?? undefined };
  } catch (error) {
    return { error };
  }
}

async function conclude(job: Job, result: Result, left: Handoff | undefined): Promise<Ended> {
  const { lease, signal } = job;
  if (lease.signal.aborted) return { how: "lost", error: lease.signal.reason };
  const interrupted = signal.reason instanceof Interrupted ? signal.reason : null;
  try {
    if ("ending" in result && (result.ending !== undefined || interrupted === null))
      return await finish(lease, result.ending ?? {});
    if (interrupted !== null) return await giveBack(job, interrupted, left);
    return await fail(lease, "error" in result ? result.error : undefined);
  } catch (error) {
    return { how: Refused.is(error, "lease_lost") ? "lost" : "unknown", error };
  }
}

async function finish(lease: Lease, ending: Ending): Promise<Ended> {
  if (ending.outcome === "released") {
    const { outcome: _outcome, ...word } = ending;
    await lease.release(word);
    return { how: "released" };
  }
  const { outcome = "succeeded" } = ending;
  const word = { status: outcome === "failed" ? "todo" : "done", ...ending, outcome } as Completion;
  try {
    await lease.complete(word, patience(lease));
    return { how: outcome };
  } catch (error) {
    if (!(error instanceof Refused) || lease.over.aborted) throw error;
    // It may not be finished so, and the same work would come to the same end: this counts as an attempt.
    return await fail(lease, error);
  }
}

async function fail(lease: Lease, error: unknown): Promise<Ended> {
  await lease.complete({ outcome: "failed", status: "todo", error: errorText(error) }, patience(lease));
  return { how: "failed", error };
}

/** Work that is finished is worth waiting for the board as long as nobody else can have the task. */
const patience = ({ grant, signal }: Lease) => ({ budgetMs: grant.ttlMs, signal });

/** A person said stop: then a person has to say go. Anything else may go on at once, elsewhere or later. */
async function giveBack(job: Job, why: Interrupted, left: Handoff | undefined): Promise<Ended> {
  const { lease, handoff } = job;
  const reason = `${why.kind}: ${why.message}`;
  if (why.kind === "cancel") await lease.block(`Stopped: ${why.message}`);
  else await lease.release({ reason, handoff: left ?? { ...handoff, whyBlocked: `Interrupted. ${reason}` } });
  return { how: "released", error: why };
}

/** As much of it as the board takes: its end, where the reason tends to stand. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? (error.stack ?? String(error)) : String(error);
  return text.replaceAll("\0", "").slice(-TEXT_MAX).toWellFormed();
}
