/** Done means done: nothing it waits for is open, and no verdict speaks against it. */
import { BLOCKERS_SHOWN } from "../../contract/limits.ts";
import { type Refusal, refuse } from "../../contract/result.ts";
import { isCellPromotable } from "../../rules/verification.ts";
import type { Context } from "../context.ts";
import { openBlockersOf } from "../store/dependencies.ts";
import type { TaskRow } from "../store/rows.ts";
import { viewRef } from "../view.ts";

export function openBlockers(ctx: Context, task: TaskRow): Refusal | null {
  if (task.open_deps === 0) return null;
  return refuse("not_ready", "The task waits for tasks that are not done.", {
    openBlockers: openBlockersOf(ctx.sql, task.id, BLOCKERS_SHOWN).map(viewRef),
    hint: "Finish its blockers or unlink them; a lead may override.",
  });
}

export function unverified(ctx: Context, task: TaskRow): Refusal | null {
  const missing = task.verification === null && ctx.board.settings.requireVerification;
  if (!missing && isCellPromotable(task.verification)) return null;
  return refuse(
    "verification_required",
    missing ? "This board wants a verdict before done." : "The verdict on this task does not let it through.",
    { hint: "Have a verifier record a passing verdict; a lead may override with humanOverride." },
  );
}
