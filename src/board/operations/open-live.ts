import type { EventKind } from "../../contract/events.ts";
import { accept, type Result } from "../../contract/result.ts";
import { shareOf } from "../../contract/roles.ts";
import type { Context } from "../context.ts";
import { requireTask } from "./find-task.ts";

export interface Filter {
  /** Null: of every task and of none. */
  taskId: string | null;
  /** Empty: every kind. */
  kinds: EventKind[];
  /** With the cards of what changed, and with beats. */
  cards: boolean;
}

export interface OpenLive extends Filter {
  /** Null: from now on. */
  after: number | null;
  /** When what it was opened with ends, a token or a browser's session; null: never. */
  expiresAt: number | null;
}

export interface NewReader {
  after: number | null;
  filter: Filter;
  token: { jti: string | null; expiresAt: number | null };
}

/** Who will read, from where on, and until when. */
export function openLive(ctx: Context, input: OpenLive): Result<NewReader> {
  const { after, expiresAt, kinds, cards } = input;
  const reader = { after, token: { jti: shareOf(ctx.caller), expiresAt } };
  if (input.taskId === null) return accept({ ...reader, filter: { taskId: null, kinds, cards } });
  const found = requireTask(ctx, input.taskId);
  if (!found.ok) return found;
  return accept({ ...reader, filter: { taskId: found.task.id, kinds, cards } });
}
