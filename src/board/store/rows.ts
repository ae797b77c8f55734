/**
 * The rows as SQL returns them: one schema per table, which also is its TypeScript type. `test/schema` holds
 * these against the live schema in both directions: names, types and nullability.
 */
import * as z from "zod";
import { ROLES } from "../../contract/roles.ts";
import { EXECUTION_STATUSES, ON_CANCEL, WORKSPACE_STATUSES } from "../../contract/task.ts";
import { TASK_STATUSES } from "../../rules/status.ts";

export { columnsOf, insertMany, insertOne, parseRows, valuesOf } from "./columns.ts";
export { type ImportChunkRow, type ImportRow, importChunkRow, importRow } from "./import-rows.ts";
export { type DeliveryRow, deliveryRow, type WebhookRow, webhookRow } from "./webhook-rows.ts";

const integer = z.int();
const real = z.number();
const text = z.string();
const flag = z.union([z.literal(0), z.literal(1)]);

export const boardRow = z.object({
  id: text,
  name: text,
  incarnation: text,
  operation_id: text,
  settings: text,
  paused: flag,
  archived: flag,
  last_sweep_at: integer,
  failed_alarms: integer,
  schema_fingerprint: text,
  schema_before: text,
  created_at: integer,
  updated_at: integer,
  tenant_id: text.nullable(),
});
export type BoardRow = z.infer<typeof boardRow>;

export const tokenRow = z.object({
  jti: text,
  agent_id: text,
  role: z.enum(ROLES).exclude(["operator"]),
  runtime: text.nullable(),
  capabilities: text,
  created_by: text,
  created_at: integer,
  expires_at: integer.nullable(),
  last_used_at: integer.nullable(),
  revoked_at: integer.nullable(),
  tenant_id: text.nullable(),
});
export type TokenRow = z.infer<typeof tokenRow>;

export const taskRow = z.object({
  number: integer,
  id: text,
  title: text,
  description: text,
  status: z.enum(TASK_STATUSES),
  priority: integer,
  team_id: text.nullable(),
  assignee_agent_id: text.nullable(),
  assignee_runtime: text.nullable(),
  parent_task_id: text.nullable(),
  source_delegation_id: text.nullable(),
  worktree_ref: text.nullable(),
  branch_ref: text.nullable(),
  budget_usd: real.nullable(),
  parent_session_id: text.nullable(),
  dropped: flag,
  verification: text.nullable(),
  scheduled_by: text.nullable(),
  kind: text.nullable(),
  labels: text,
  required_capabilities: text,
  external_ref: text.nullable(),
  blocked_reason: text.nullable(),
  not_before: integer.nullable(),
  deferred: flag,
  open_deps: integer,
  ready_since: integer,
  epoch: integer,
  attempt_streak: integer,
  changes_notes: text.nullable(),
  version: integer,
  change_seq: integer,
  guarded: flag,
  created_by: text.nullable(),
  created_at: integer,
  updated_at: integer,
  completed_at: integer.nullable(),
  tenant_id: text.nullable(),
});
export type TaskRow = z.infer<typeof taskRow>;

export const dependencyRow = z.object({
  task_id: text,
  depends_on_task_id: text,
  on_cancel: z.enum(ON_CANCEL),
  created_at: integer,
  tenant_id: text.nullable(),
});
export type DependencyRow = z.infer<typeof dependencyRow>;

export const commentRow = z.object({
  number: integer,
  task_id: text,
  author_id: text,
  body: text,
  created_at: integer,
  tenant_id: text.nullable(),
});
export type CommentRow = z.infer<typeof commentRow>;

export const executionRow = z.object({
  task_id: text,
  epoch: integer,
  id: text,
  agent_id: text,
  token_id: text.nullable(),
  runtime: text.nullable(),
  executor_type: text.nullable(),
  run_reason: text.nullable(),
  status: z.enum(EXECUTION_STATUSES),
  reason: text.nullable(),
  completion: text.nullable(),
  started_at: integer,
  last_beat_at: integer,
  ended_at: integer.nullable(),
  progress: text.nullable(),
  summary: text.nullable(),
  error: text.nullable(),
  before_commit: text.nullable(),
  after_commit: text.nullable(),
  input_tokens: integer,
  output_tokens: integer,
  cache_read: integer,
  cache_write: integer,
  cost_usd: real,
  beat_input_tokens: integer,
  beat_output_tokens: integer,
  beat_cost_usd: real,
  handoff: text.nullable(),
  comments_read: integer,
  directive: z.enum(["cancel", "drain"]).nullable(),
  directive_reason: text.nullable(),
  recovery_tombstone: flag,
  waited_ms: integer.nullable(),
  kept_at: integer.nullable(),
  trimmed_at: integer.nullable(),
  tenant_id: text.nullable(),
});
export type ExecutionRow = z.infer<typeof executionRow>;

export const workspaceRow = z.object({
  id: text,
  task_id: text,
  repo_path: text,
  worktree_path: text.nullable(),
  branch: text.nullable(),
  base_sha: text.nullable(),
  status: z.enum(WORKSPACE_STATUSES),
  created_by: text,
  created_at: integer,
  last_used_at: integer,
  tenant_id: text.nullable(),
});
export type WorkspaceRow = z.infer<typeof workspaceRow>;

export const eventRow = z.object({
  seq: integer,
  at: integer,
  kind: text,
  task_id: text.nullable(),
  actor_type: z.enum(["agent", "operator", "board"]),
  actor_id: text,
  epoch: integer.nullable(),
  data: text,
  tenant_id: text.nullable(),
});
export type EventRow = z.infer<typeof eventRow>;

export const auditRow = z.object({
  number: integer,
  at: integer,
  actor_id: text,
  kind: text,
  task_id: text.nullable(),
  prior_status: text.nullable(),
  reason: text.nullable(),
  data: text,
  tenant_id: text.nullable(),
});
export type AuditRow = z.infer<typeof auditRow>;

export const replyRow = z.object({
  principal: text,
  scope: text,
  idempotency_key: text,
  body_hash: text,
  answer: text,
  leases: text,
  created_at: integer,
  tenant_id: text.nullable(),
});
export type ReplyRow = z.infer<typeof replyRow>;

export const countsRow = z.object({
  id: text,
  backlog: integer,
  todo: integer,
  in_progress: integer,
  in_review: integer,
  blocked: integer,
  done: integer,
  cancelled: integer,
  tenant_id: text.nullable(),
});

export const usageRow = z.object({
  id: text,
  cost_micros: integer,
  input_tokens: integer,
  output_tokens: integer,
  cache_read: integer,
  cache_write: integer,
  tenant_id: text.nullable(),
});
export type UsageRow = z.infer<typeof usageRow>;

export const runStatsRow = z.object({
  day: integer,
  agent_id: text,
  runtime: text,
  succeeded: integer,
  failed: integer,
  timed_out: integer,
  cancelled: integer,
  released: integer,
  cycle_ms: integer,
  waits: integer,
  waited_ms: integer,
  input_tokens: integer,
  output_tokens: integer,
  cache_read: integer,
  cache_write: integer,
  cost_micros: integer,
  tenant_id: text.nullable(),
});
export type RunStatsRow = z.infer<typeof runStatsRow>;
