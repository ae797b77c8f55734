/** Webhooks as a lead keeps them. Log and audit may be read by any viewer, so they name the host, never the path. */
import type { EventKind } from "../../contract/events.ts";
import { WEBHOOKS_MAX } from "../../contract/limits.ts";
import { accept, type Refusal, type Result, refuse } from "../../contract/result.ts";
import type { DisabledReason, Webhook } from "../../contract/webhook.ts";
import { audit, type Context } from "../context.ts";
import { hold, requeue } from "../store/deliveries.ts";
import type { WebhookRow } from "../store/rows.ts";
import {
  deleteWebhook as deleteRow,
  findWebhook,
  insertWebhook,
  listWebhooks as readWebhooks,
  saveWebhook,
  viewWebhook,
} from "../store/webhooks.ts";

export interface CreateWebhook {
  url: string;
  kinds: EventKind[] | null;
}

/** What the secret is made from: it is told to whoever made the webhook, and to nobody else. */
export interface CreatedWebhook {
  webhook: Webhook;
  incarnation: string;
}

export function createWebhook(ctx: Context, input: CreateWebhook): Result<CreatedWebhook> {
  if (readWebhooks(ctx.sql, WEBHOOKS_MAX).length === WEBHOOKS_MAX)
    return refuse("webhook_cap", `A board may have at most ${WEBHOOKS_MAX} webhooks.`, {
      limit: WEBHOOKS_MAX,
      hint: "Delete one that is no longer needed.",
    });
  const row: WebhookRow = {
    id: ctx.newId(),
    url: input.url,
    kinds: jsonOf(input.kinds),
    state: "active",
    disabled_reason: null,
    disabled_at: null,
    failures: 0,
    dead_in_a_row: 0,
    created_by: ctx.caller.sub,
    created_at: ctx.now,
    tenant_id: null,
  };
  insertWebhook(ctx.sql, row);
  tellChange(ctx, "created", row);
  return accept({ webhook: viewWebhook(row), incarnation: ctx.board.incarnation });
}

export function listWebhooks(ctx: Context): Result<{ webhooks: Webhook[] }> {
  return accept({ webhooks: readWebhooks(ctx.sql, WEBHOOKS_MAX).map(viewWebhook) });
}

export interface ChangeWebhook {
  id: string;
  url?: string;
  kinds?: EventKind[] | null;
  disabled?: boolean;
}

export function changeWebhook(ctx: Context, input: ChangeWebhook): Result<{ webhook: Webhook }> {
  const found = requireWebhook(ctx, input.id);
  if (!found.ok) return found;
  const before = found.row;
  const named: WebhookRow = {
    ...before,
    url: input.url ?? before.url,
    kinds: input.kinds === undefined ? before.kinds : jsonOf(input.kinds),
  };
  const disabling = input.disabled === true && before.state === "active";
  const enabling = input.disabled === false && before.state === "disabled";
  const moved = named.url !== before.url || named.kinds !== before.kinds;
  if (!moved && !disabling && !enabling) return accept({ webhook: viewWebhook(before) });
  if (disabling) {
    auditChange(ctx, "webhook_changed", named);
    return accept({ webhook: viewWebhook(disable(ctx, named, "lead")) });
  }
  const after: WebhookRow = enabling
    ? { ...named, state: "active", disabled_reason: null, disabled_at: null, failures: 0, dead_in_a_row: 0 }
    : named;
  saveWebhook(ctx.sql, after);
  if (enabling) {
    requeue(ctx.sql, after.id, ctx.now);
    ctx.due(ctx.now);
  }
  tellChange(ctx, "changed", after);
  return accept({ webhook: viewWebhook(after) });
}

export function deleteWebhook(ctx: Context, id: string): Result<null> {
  const found = requireWebhook(ctx, id);
  if (!found.ok) return found;
  deleteRow(ctx.sql, id);
  tellChange(ctx, "deleted", found.row);
  return accept(null);
}

/** Nothing more is sent; what waits stays in the log, and goes out should it be enabled again in time. */
export function disable(ctx: Context, row: WebhookRow, reason: DisabledReason): WebhookRow {
  const after: WebhookRow = { ...row, state: "disabled", disabled_reason: reason, disabled_at: ctx.now };
  saveWebhook(ctx.sql, after);
  hold(ctx.sql, row.id);
  ctx.log.append({
    seq: ctx.log.reserve(),
    kind: "webhook_disabled",
    data: { webhookId: row.id, host: hostOf(row), reason, failures: row.failures },
  });
  return after;
}

export function requireWebhook(ctx: Context, id: string): { ok: true; row: WebhookRow } | Refusal {
  const row = findWebhook(ctx.sql, id);
  if (row !== null) return { ok: true, row };
  return refuse("webhook_not_found", "There is no such webhook on this board.");
}

export function auditChange(ctx: Context, kind: string, row: WebhookRow, more: object = {}): void {
  audit(ctx, kind, { data: { webhook: row.id, host: hostOf(row), ...more } });
}

function tellChange(ctx: Context, change: "created" | "changed" | "deleted", row: WebhookRow): void {
  auditChange(ctx, `webhook_${change}`, row);
  const webhook = { id: row.id, host: hostOf(row), kinds: viewWebhook(row).kinds, change };
  ctx.log.append({ seq: ctx.log.reserve(), kind: "board_changed", data: { webhook } });
}

function hostOf(row: WebhookRow): string {
  return new URL(row.url).host;
}

function jsonOf(kinds: EventKind[] | null): string | null {
  return kinds === null ? null : JSON.stringify([...new Set(kinds)]);
}
