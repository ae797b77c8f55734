/**
 * What the tables tell a scraper. Every count is kept, seeked or bounded, so that a scrape reads no more on a large
 * board; only the running leases are walked, as many as there are hands at work.
 */
import { METRICS_COUNT_MAX, PRIORITY_MAX, WEBHOOKS_MAX } from "../../contract/limits.ts";
import type { Sample, Samples } from "../../contract/metrics.ts";
import { accept, type Result } from "../../contract/result.ts";
import type { Context } from "../context.ts";
import { readCounts } from "../store/counts.ts";
import { countDeliveries } from "../store/delivery-log.ts";
import { lastSeq } from "../store/events.ts";
import { countReady, oldestReadySince, promoteDeferred } from "../store/ready-queue.ts";
import { countLeases } from "../store/running.ts";
import { listWebhooks } from "../store/webhooks.ts";
import { countAllButUnreachable } from "./count-stuck.ts";

/** What only the object itself knows: its sockets, its size, what it counted. */
export type InMemory =
  | "edgeboard_storage_bytes"
  | "edgeboard_storage_limit_bytes"
  | "edgeboard_sockets"
  | "edgeboard_waiters"
  | "edgeboard_start_time_seconds"
  | "edgeboard_operations_total"
  | "edgeboard_rows_read_total"
  | "edgeboard_rows_written_total"
  | "edgeboard_turned_away_total";

export function describeMetrics(ctx: Context): Result<Omit<Samples, InMemory>> {
  const { sql, now, board } = ctx;
  // A task whose time has come is ready, though nobody has asked for work since.
  promoteDeferred(sql, now);
  const leases = countLeases(sql, now - board.settings.leaseTtlMs);
  const webhooks = listWebhooks(sql, WEBHOOKS_MAX);
  const inState = (state: string) => webhooks.filter((webhook) => webhook.state === state).length;
  return accept({
    edgeboard_tasks: by("status", readCounts(sql)),
    edgeboard_ready_tasks: one(countReady(sql, METRICS_COUNT_MAX)),
    edgeboard_oldest_ready_age_seconds: age(now, oldestReadySince(sql, PRIORITY_MAX)),
    edgeboard_leases: by("state", { live: leases.running - leases.expired, expired: leases.expired }),
    edgeboard_needs_person_tasks: by("reason", countAllButUnreachable(ctx, METRICS_COUNT_MAX).found),
    edgeboard_paused: one(Number(board.paused)),
    edgeboard_archived: one(Number(board.archived)),
    edgeboard_events_total: one(lastSeq(sql)),
    edgeboard_last_sweep_age_seconds: age(now, board.lastSweepAt === 0 ? null : board.lastSweepAt),
    edgeboard_failed_alarms: one(board.failedAlarms),
    edgeboard_webhooks: by("state", { active: inState("active"), disabled: inState("disabled") }),
    edgeboard_webhook_deliveries: by("state", {
      pending: countDeliveries(sql, "pending", METRICS_COUNT_MAX),
      dead: countDeliveries(sql, "dead", METRICS_COUNT_MAX),
    }),
  });
}

function one(value: number): Sample[] {
  return [{ value }];
}

function by(label: string, values: Record<string, number>): Sample[] {
  return Object.entries(values).map(([name, value]) => ({ labels: { [label]: name }, value }));
}

function age(now: number, since: number | null): Sample[] {
  return since === null ? [] : one(Math.max(0, now - since) / 1000);
}
