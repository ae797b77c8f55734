import type { AuditEntry } from "../../contract/events.ts";
import { accept, type Result } from "../../contract/result.ts";
import type { Context } from "../context.ts";
import {
  type AuditFilter,
  lastNumber,
  listAudit as readAudit,
  readBetween,
  viewAudit,
} from "../store/audit.ts";

export interface AuditPage {
  entries: AuditEntry[];
  hasMore: boolean;
  nextCursor: string | null;
}

/** Newest first. */
export function listAudit(
  ctx: Context,
  input: AuditFilter & { before: number | null; limit: number },
): Result<AuditPage> {
  const rows = readAudit(ctx.sql, input, input.before ?? Number.MAX_SAFE_INTEGER, input.limit + 1);
  const shown = rows.slice(0, input.limit);
  const hasMore = rows.length > input.limit;
  return accept({
    entries: shown.map(viewAudit),
    hasMore,
    nextCursor: hasMore ? String(shown.at(-1)?.number) : null,
  });
}

export function lastAuditNumber(ctx: Context): Result<number> {
  return accept(lastNumber(ctx.sql));
}

/** Oldest first. */
export function auditBetween(
  ctx: Context,
  { after, upTo, limit }: { after: number; upTo: number; limit: number },
): Result<AuditEntry[]> {
  return accept(readBetween(ctx.sql, after, upTo, limit).map(viewAudit));
}
