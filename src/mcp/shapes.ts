/** The shapes that tools share. Shallow, and without words: names say enough, and every client pays for the rest. */
import * as z from "zod";
import { IDEMPOTENCY_KEY_MAX } from "../contract/limits.ts";
import { leaseToken as anyLeaseToken } from "../contract/text.ts";
import { TASK_STATUSES } from "../rules/status.ts";

export const status = z.enum(TASK_STATUSES);

export const taskId = z.string().min(1).max(64);
export const leaseToken = anyLeaseToken.min(1).describe("From claim_task");
export const clientKey = z
  .string()
  .max(IDEMPOTENCY_KEY_MAX)
  .regex(/^[\x21-\x7e]+$/, "must be visible characters without spaces")
  .describe("Your name for this call; sent again, it is not done again");

export const brief = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  priority: z.number(),
  rev: z.number(),
  ready: z.boolean(),
  assignee: z.string().optional(),
  lease_expires_at: z.string().optional(),
  open_deps: z.number().optional(),
  verdict: z.string().optional(),
  dropped: z.boolean().optional(),
});

export const ref = z.object({ id: z.string(), title: z.string(), status: z.string() });

/** Rows whose fields their names explain; a schema of each would be most of the list of tools. */
export const rows = z.array(z.record(z.string(), z.unknown()));

/** Fields in which a secret was found; it is not kept. */
export const masked = z.array(z.string()).optional();

export const hint = z.string().optional();
