/**
 * One transaction per operation. A refusal rolls back whatever was written before it, so it changes nothing;
 * a request with an idempotency key is answered once and repeated from then on.
 */
import { IDEMPOTENCY_TTL_MS } from "../contract/limits.ts";
import { type Refusal, type Result, refuse } from "../contract/result.ts";
import type { Caller } from "../contract/roles.ts";
import { lostReason } from "../rules/lease.ts";
import type { Context } from "./context.ts";
import type { Cost } from "./cost.ts";
import { findExecution } from "./store/executions.ts";
import { deleteReply, findReply, insertReply } from "./store/replies.ts";
import { findTask } from "./store/tasks.ts";

/** What identifies a repeat: who, on which call, under which key, with which body. */
export interface OperationKey {
  /** Method and path. */
  scope: string;
  value: string;
  bodyHash: string;
}

export interface Call {
  caller: Caller;
  key?: OperationKey;
}

/** An operation's answer; `replayed` when it was given before. `cost` is for who runs the board, never for who asks. */
export type Reply<T> = Result<T> & { replayed?: true; cost?: Cost };

/** A lease an answer granted: the answer is repeated only while one of them runs. */
export interface GrantedLease {
  taskId: string;
  epoch: number;
}

/** Leaves a transaction with its answer and without its writes. */
class Rollback extends Error {
  readonly reply: Reply<unknown>;
  constructor(reply: Reply<unknown>) {
    super("rolled back");
    this.reply = reply;
  }
}

/** Runs it in one transaction. A refusal or an exception undoes it whole, and so does a dry run's answer. */
export function transact<T>(storage: DurableObjectStorage, dryRun: boolean, run: () => Reply<T>): Reply<T> {
  try {
    return storage.transactionSync(() => {
      const reply = run();
      if (!reply.ok || dryRun) throw new Rollback(reply);
      return reply;
    });
  } catch (error) {
    if (error instanceof Rollback) return error.reply as Reply<T>;
    throw error;
  }
}

export function replayOrRun<T>(
  ctx: Context,
  key: OperationKey | undefined,
  leasesOf: (value: T) => GrantedLease[],
  run: () => Result<T>,
): Reply<T> {
  if (key === undefined) return run();
  const principal = ctx.caller.sub;
  const stored = findReply(ctx.sql, principal, key.scope, key.value);
  if (stored !== null && stored.created_at > ctx.now - IDEMPOTENCY_TTL_MS) {
    if (stored.body_hash !== key.bodyHash)
      return refuse("idempotency_mismatch", "This idempotency key was used with another body.", {
        hint: "Use a new key for a new request.",
      });
    const lost = lostLease(ctx, JSON.parse(stored.leases));
    return lost ?? { ok: true, value: JSON.parse(stored.answer), replayed: true };
  }
  const result = run();
  if (!result.ok || !ctx.log.wrote) return result;
  if (stored !== null) deleteReply(ctx.sql, principal, key.scope, key.value);
  insertReply(ctx.sql, {
    principal,
    scope: key.scope,
    idempotency_key: key.value,
    body_hash: key.bodyHash,
    answer: JSON.stringify(result.value),
    leases: JSON.stringify(leasesOf(result.value)),
    created_at: ctx.now,
    tenant_id: null,
  });
  ctx.due(ctx.now + IDEMPOTENCY_TTL_MS);
  return result;
}

/** A grant is repeated while a lease of it runs, and never granted afresh. */
function lostLease(ctx: Context, leases: GrantedLease[]): Refusal | null {
  let lost: Refusal | null = null;
  for (const { taskId, epoch } of leases) {
    const execution = findExecution(ctx.sql, taskId, epoch);
    if (execution?.status === "running") return null;
    const task = findTask(ctx.sql, taskId);
    lost = refuse("lease_lost", "The lease this request was granted has ended.", {
      reason: lostReason(execution, task?.epoch ?? epoch),
      hint: "Claim again under a new idempotency key.",
    });
  }
  return lost;
}
