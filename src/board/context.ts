/**
 * What an operation is given: the database, one `now`, and everything that is not a pure function of its
 * input. Nothing below `board.ts` reads a clock, makes an id or draws a random number by itself.
 */
import type { LeaseBeat } from "../contract/live.ts";
import type { Caller } from "../contract/roles.ts";
import { includesRole } from "../rules/roles.ts";
import { insertAudit } from "./store/audit.ts";
import type { Board } from "./store/board-row.ts";
import type { EventLog } from "./store/events.ts";
import type { TaskRow } from "./store/rows.ts";
import type { Sql } from "./store/sql.ts";

export interface Context {
  sql: Sql;
  now: number;
  board: Board;
  caller: Caller;
  log: EventLog;
  newId: () => string;
  /** In [0, 1). */
  random: () => number;
  /** Tells the alarm that something falls due; it can only be brought forward. */
  due: (at: number) => void;
  /** Tells those who show leases that one was proved alive. */
  beaten: (beat: LeaseBeat) => void;
  /** Tells the sockets of a token that it is dead. */
  tokenEnded: (jti: string) => void;
}

export function isLead(ctx: Context): boolean {
  return includesRole(ctx.caller.role, "lead");
}

/** One row for each use of a privilege. */
export function audit(
  ctx: Context,
  kind: string,
  about: { task?: TaskRow; reason?: string | null; data?: Record<string, unknown> },
): void {
  insertAudit(ctx.sql, {
    at: ctx.now,
    actor_id: ctx.caller.sub,
    kind,
    task_id: about.task?.id ?? null,
    prior_status: about.task?.status ?? null,
    reason: about.reason ?? null,
    data: JSON.stringify(about.data ?? {}),
    tenant_id: about.task?.tenant_id ?? null,
  });
}
