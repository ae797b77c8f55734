/** The change log. One primary event per change, in a gap-free sequence per board. */
import * as z from "zod";

export const EVENT_KINDS = [
  "task_created",
  "task_edited",
  "task_dropped",
  "task_restored",
  "task_claimed",
  "execution_started",
  "execution_completed",
  "status_changed",
  "task_released",
  "comment_added",
  "dependency_linked",
  "dependency_unlinked",
  "verification_recorded",
  "changes_requested",
  "stop_requested",
  "workspace_changed",
  "board_changed",
  "token_minted",
  "token_revoked",
  "webhook_disabled",
  "budget_warning",
  "budget_stopped",
] as const;

export type EventKind = (typeof EVENT_KINDS)[number];

export const actor = z.object({
  type: z.enum(["agent", "operator", "board"]).meta({ description: "`board`: its own alarm" }),
  id: z.string(),
});

export type Actor = z.infer<typeof actor>;

export const event = z
  .object({
    seq: z.number(),
    at: z.number(),
    kind: z.enum(EVENT_KINDS),
    taskId: z.string().nullable(),
    actor,
    epoch: z.number().optional(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "Event" });

export type BoardEvent = z.infer<typeof event>;

export const RELEASED_VIA = ["release", "sweep", "orphan", "displace", "revoke", "changes"] as const;
export type ReleasedVia = (typeof RELEASED_VIA)[number];

export const auditEntry = z
  .object({
    id: z.number(),
    at: z.number(),
    actorId: z.string(),
    kind: z.string(),
    taskId: z.string().nullable(),
    priorStatus: z.string().nullable(),
    reason: z.string().nullable(),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: "AuditEntry" });

export type AuditEntry = z.infer<typeof auditEntry>;
