/** What to do about a refusal, in words of this program, where the board does not say it or says it in calls. */
import type { Problem } from "../client/errors.ts";
import type { Reason } from "../contract/reasons.ts";

/** The board's own hint, in the words of its interface, would not help at a command line. */
const INSTEAD: Partial<Record<Reason, string>> = {
  lease_required: "Claim it, give its lease by --lease, or as a lead say `move --displace`.",
  claim_required: "`edgeboard claim` it.",
  verification_required:
    "A verifier has to record a passing verdict; a lead may say `move --override -r <why>`.",
  lease_lost: "Stop working on it; `edgeboard claim` takes the next one.",
};

const SIGN_IN = "Sign in with `edgeboard login`, or set EDGEBOARD_TOKEN.";
const ROLE = "Ask a lead, or use a token with another role.";
const LOOK = "`edgeboard explain` says why, and who has to act.";
const LATER = "Try again in a while.";
const MEND = "Mend it and try again.";
const FAULT = "Report it with the request's id, which --json shows.";

const OTHERWISE: Record<Reason, string> = {
  invalid_request: "`--help` shows what it takes.",
  unauthenticated: SIGN_IN,
  token_expired: SIGN_IN,
  token_revoked: SIGN_IN,
  forbidden: ROLE,
  identity_mismatch: "Use the token of the agent that claimed it.",
  override_forbidden: ROLE,
  self_review: "Somebody else has to look at it.",
  board_not_found: "Is it the right server, board and token?",
  task_not_found: "`edgeboard list` shows what is there.",
  execution_not_found: "`edgeboard show` has the runs of a task.",
  token_not_found: "`edgeboard token list` shows what is there.",
  import_not_found: "Import it again.",
  archive_not_found: "`edgeboard archive list` shows what is there.",
  webhook_not_found: "Is it the right id?",
  delivery_not_found: "Is it the right id? The log goes back seven days.",
  route_not_found: "The server may be older than this program.",
  method_not_allowed: "The server may be older than this program.",
  body_too_large: "Send less at once.",
  unsupported_media_type: FAULT,
  conflict: LOOK,
  not_ready: LOOK,
  not_before: LOOK,
  capability_mismatch: LOOK,
  runtime_mismatch: LOOK,
  claim_required: "`edgeboard claim` it.",
  illegal_transition: LOOK,
  terminal: "What is finished stays so; `edgeboard add` another.",
  verification_required: "A verifier has to record a passing verdict.",
  stale_epoch: "Look at it again: somebody has claimed it since.",
  lease_required: "Claim it first.",
  lease_lost: "Stop working on it.",
  already_closed: "Its first end stands.",
  already_running: LOOK,
  task_dependency_cycle: "`edgeboard unlink` one edge of the ring first.",
  parent_cycle: "Choose another parent.",
  duplicate: "Work with the task that has this reference.",
  budget_exhausted: "A lead may raise the budget.",
  board_paused: "A lead lets it go on.",
  board_archived: "A lead may take it out of the archive.",
  board_exists: "Choose another --id.",
  board_busy: LATER,
  resync: "Follow it from now on, without --after.",
  version_mismatch: "Look at it with `edgeboard show`, and decide anew.",
  parent_not_found: "`edgeboard list` shows what is there.",
  dependency_not_found: "`edgeboard list` shows what is there.",
  child_cap: "Finish some of its subtasks first, or ask a lead.",
  depth_cap: "Put it under a task higher up, or ask a lead.",
  dependent_cap: "Let fewer tasks wait for one.",
  root_rate_cap: "Put it under a task you work on, or try again in a while.",
  webhook_cap: "Delete one that is no longer needed.",
  no_isolation: "Work that changes no files needs no workspace.",
  idempotency_mismatch: "Use another --key.",
  invalid_settings: MEND,
  import_invalid: MEND,
  upgrade_required: FAULT,
  rate_limited: LATER,
  internal: FAULT,
  no_archive: "`edgeboard export` writes the board to a file of yours.",
  archive_unavailable: LATER,
  sign_in_unavailable: LATER,
  board_unavailable: LATER,
  board_overloaded: LATER,
  board_full: "Delete what is not needed, or use another board.",
};

export function nextStep(problem: Problem): string {
  const { code, hint, legalTargets } = problem;
  if (code === "illegal_transition" && Array.isArray(legalTargets) && legalTargets.length > 0)
    return `It can move to ${legalTargets.join(", ")}.`;
  // A server that is newer than this program may know reasons that are not in the list.
  return INSTEAD[code] ?? hint ?? OTHERWISE[code] ?? LOOK;
}
