/** A refusal on the wire: RFC 9457. The one place that knows which reason is which status. */
import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Reason } from "../contract/reasons.ts";
import type { Refusal } from "../contract/result.ts";
import type { Edge } from "./edge.ts";

export function statusOf(reason: Reason): ContentfulStatusCode {
  switch (reason) {
    case "invalid_request":
      return 400;
    case "unauthenticated":
    case "token_expired":
    case "token_revoked":
      return 401;
    case "forbidden":
    case "identity_mismatch":
    case "override_forbidden":
    case "self_review":
      return 403;
    case "board_not_found":
    case "task_not_found":
    case "execution_not_found":
    case "token_not_found":
    case "import_not_found":
    case "archive_not_found":
    case "webhook_not_found":
    case "delivery_not_found":
    case "route_not_found":
      return 404;
    case "method_not_allowed":
      return 405;
    case "conflict":
    case "not_ready":
    case "not_before":
    case "capability_mismatch":
    case "runtime_mismatch":
    case "claim_required":
    case "illegal_transition":
    case "terminal":
    case "verification_required":
    case "stale_epoch":
    case "lease_required":
    case "lease_lost":
    case "already_closed":
    case "already_running":
    case "task_dependency_cycle":
    case "parent_cycle":
    case "duplicate":
    case "budget_exhausted":
    case "board_paused":
    case "board_archived":
    case "board_exists":
    case "board_busy":
      return 409;
    case "resync":
      return 410;
    case "version_mismatch":
      return 412;
    case "body_too_large":
      return 413;
    case "unsupported_media_type":
      return 415;
    case "parent_not_found":
    case "dependency_not_found":
    case "child_cap":
    case "depth_cap":
    case "dependent_cap":
    case "root_rate_cap":
    case "webhook_cap":
    case "no_isolation":
    case "idempotency_mismatch":
    case "invalid_settings":
    case "import_invalid":
      return 422;
    case "upgrade_required":
      return 426;
    case "rate_limited":
      return 429;
    case "internal":
      return 500;
    case "no_archive":
      return 501;
    case "sign_in_unavailable":
    case "board_unavailable":
    case "board_overloaded":
    case "archive_unavailable":
      return 503;
    case "board_full":
      return 507;
    default:
      return unknown(reason);
  }
}

/** Seconds to wait, for the refusals that may be sent again; null: they are final. */
export function retryAfterOf(reason: Reason): number | null {
  switch (statusOf(reason)) {
    case 429:
      return 10;
    case 503:
      return 2;
    default:
      return null;
  }
}

/** What this very refusal asks to wait, where it knows; in whole seconds. */
function waitOf({ reason, extra }: Refusal): number | null {
  const known = extra?.["retryAfterMs"];
  const usual = retryAfterOf(reason);
  return usual === null || typeof known !== "number" ? usual : Math.ceil(known / 1_000);
}

/** `conflict` is "Conflict", `lease_lost` is "Lease lost". */
function titleOf(reason: Reason): string {
  const words = reason.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function problemBody(refusal: Refusal, requestId: string) {
  return {
    ...refusal.extra,
    type: `urn:edgeboard:problem:${refusal.reason}`,
    title: titleOf(refusal.reason),
    status: statusOf(refusal.reason),
    code: refusal.reason,
    detail: refusal.detail,
    retryable: retryAfterOf(refusal.reason) !== null,
    requestId,
  };
}

export function problem(c: Context<Edge>, refusal: Refusal): Response {
  c.set("refused", refusal.reason);
  const status = statusOf(refusal.reason);
  const retryAfter = waitOf(refusal);
  return c.body(JSON.stringify(problemBody(refusal, c.get("requestId"))), status, {
    "content-type": "application/problem+json",
    "cache-control": "no-store",
    ...(retryAfter === null ? {} : { "retry-after": String(retryAfter) }),
    ...(status === 426 ? { upgrade: "websocket" } : {}),
    ...(status === 401 ? { "www-authenticate": 'Bearer realm="edgeboard"' } : {}),
  });
}

function unknown(reason: never): never {
  throw new Error(`no status for ${reason}`);
}
