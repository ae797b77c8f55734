import type { EventKind } from "../../contract/events.ts";
import { accept, type Result } from "../../contract/result.ts";
import type { Context } from "../context.ts";
import { findToken } from "../store/tokens.ts";
import { requireTask } from "./find-task.ts";

export interface Filter {
  /** Null: of every task and of none. */
  taskId: string | null;
  /** Empty: every kind. */
  kinds: EventKind[];
}

export interface OpenLive extends Filter {
  /** Null: from now on. */
  after: number | null;
}

export interface NewReader {
  after: number | null;
  filter: Filter;
  token: { jti: string | null; expiresAt: number | null };
}

/** Who will read, from where on, and until when. */
export function openLive(ctx: Context, input: OpenLive): Result<NewReader> {
  const { jti } = ctx.caller;
  const expiresAt = jti === null ? null : (findToken(ctx.sql, jti)?.expires_at ?? null);
  const reader = { after: input.after, token: { jti, expiresAt } };
  if (input.taskId === null) return accept({ ...reader, filter: { taskId: null, kinds: input.kinds } });
  const found = requireTask(ctx, input.taskId);
  if (!found.ok) return found;
  return accept({ ...reader, filter: { taskId: found.task.id, kinds: input.kinds } });
}
