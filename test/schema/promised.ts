/** What the schema of a board promises beyond names and types, written out once more. */

export const KEYS: Record<string, string> = {
  audit: "number",
  board: "id",
  board_usage: "id",
  events: "seq",
  execution_processes: "task_id, epoch",
  import_chunks: "import_id, part, chunk",
  imports: "id",
  replies: "principal, scope, idempotency_key",
  run_stats: "agent_id, day, runtime",
  task_comments: "number",
  task_counts: "id",
  task_deps: "task_id, depends_on_task_id",
  tasks: "number",
  tokens: "jti",
  webhook_deliveries: "webhook_id, seq",
  webhooks: "id",
  workspaces: "id",
};

/** Tables whose key is a number SQLite gives out; all others are stored by their key. */
export const BY_ROWID = ["audit", "events", "task_comments", "tasks"];

export const DEFAULTS: Record<string, Record<string, string>> = {
  audit: { data: "'{}'" },
  board: { paused: "0", archived: "0", last_sweep_at: "0", failed_alarms: "0", schema_before: "'[]'" },
  board_usage: {
    cost_micros: "0",
    input_tokens: "0",
    output_tokens: "0",
    cache_read: "0",
    cache_write: "0",
  },
  events: { data: "'{}'" },
  execution_processes: {
    input_tokens: "0",
    output_tokens: "0",
    cache_read: "0",
    cache_write: "0",
    cost_usd: "0",
    beat_input_tokens: "0",
    beat_output_tokens: "0",
    beat_cost_usd: "0",
    comments_read: "0",
    recovery_tombstone: "0",
  },
  import_chunks: {},
  imports: { reset: "0" },
  replies: { leases: "'[]'" },
  run_stats: {
    succeeded: "0",
    failed: "0",
    timed_out: "0",
    cancelled: "0",
    released: "0",
    cycle_ms: "0",
    waits: "0",
    waited_ms: "0",
    input_tokens: "0",
    output_tokens: "0",
    cache_read: "0",
    cache_write: "0",
    cost_micros: "0",
  },
  task_comments: {},
  task_counts: {
    backlog: "0",
    todo: "0",
    in_progress: "0",
    in_review: "0",
    blocked: "0",
    done: "0",
    cancelled: "0",
  },
  task_deps: { on_cancel: "'hold'" },
  tasks: {
    description: "''",
    priority: "0",
    dropped: "0",
    labels: "'[]'",
    required_capabilities: "'[]'",
    deferred: "0",
    open_deps: "0",
    epoch: "0",
    attempt_streak: "0",
    version: "1",
    guarded: "0",
  },
  tokens: { capabilities: "'[]'" },
  webhook_deliveries: { attempts: "0" },
  webhooks: { failures: "0", dead_in_a_row: "0" },
  workspaces: { status: "'active'" },
};

export const FOREIGN_KEYS: Record<string, string[]> = {
  task_comments: ["task_id -> tasks (id)"],
  task_deps: ["depends_on_task_id -> tasks (id)", "task_id -> tasks (id)"],
  tasks: ["parent_task_id -> tasks (id)"],
  workspaces: ["task_id -> tasks (id)"],
};

export const UNIQUE: Record<string, string[]> = { execution_processes: ["id"], tasks: ["id"] };

/** Columns whose text SQLite itself reads as JSON on every write. */
export const JSON_COLUMNS = [
  "audit.data",
  "board.schema_before",
  "board.settings",
  "events.data",
  "imports.report",
  "replies.answer",
  "replies.leases",
  "tasks.labels",
  "tasks.required_capabilities",
  "tokens.capabilities",
  "webhooks.kinds",
];

/** Counters that SQLite keeps from falling below nought. */
export const COUNTERS = [
  "board_usage.cache_read",
  "board_usage.cache_write",
  "board_usage.cost_micros",
  "board_usage.input_tokens",
  "board_usage.output_tokens",
  "task_counts.backlog",
  "task_counts.blocked",
  "task_counts.cancelled",
  "task_counts.done",
  "task_counts.in_progress",
  "task_counts.in_review",
  "task_counts.todo",
  "tasks.open_deps",
];

const READY =
  "where status = 'todo' and dropped = 0 and assignee_agent_id is null and open_deps = 0 and deferred = 0";

export const INDEXES = [
  "events_by_task on events (task_id, seq) where task_id is not null",
  "imports_by_age on imports (created_at)",
  "replies_by_age on replies (created_at)",
  "task_comments_by_task on task_comments (task_id, number)",
  "task_deps_by_blocker on task_deps (depends_on_task_id, task_id)",
  "tasks_attempt_limit on tasks (number) where status = 'blocked' and blocked_reason = 'attempt_limit' and dropped = 0",
  "tasks_by_assignee on tasks (assignee_agent_id, number) where assignee_agent_id is not null",
  "tasks_by_parent on tasks (parent_task_id, number) where parent_task_id is not null",
  "tasks_by_status on tasks (status, number) where dropped = 0",
  "tasks_dead_ends on tasks (id, status, dropped) where status = 'cancelled' or (dropped = 1 and status <> 'done')",
  "tasks_deferred on tasks (not_before) where deferred = 1",
  `tasks_demanding on tasks (required_capabilities, number) ${READY} and required_capabilities <> '[]'`,
  "tasks_guarded_roots on tasks (created_at) where guarded = 1 and parent_task_id is null and dropped = 0",
  `tasks_ready_fifo on tasks (priority desc, ready_since, number) ${READY}`,
  `tasks_ready_recent on tasks (priority desc, updated_at desc, number) ${READY}`,
  "tokens_by_agent on tokens (agent_id, jti)",
  "tokens_capable on tokens (capabilities) where revoked_at is null and capabilities <> '[]'",
  "executions_untrimmed on execution_processes (an expression) where status <> 'running' and trimmed_at is null",
  "tokens_by_end on tokens (an expression) where revoked_at is not null or expires_at is not null",
  "unique executions_running on execution_processes (task_id) where status = 'running'",
  "unique tasks_by_reference on tasks (external_ref) where external_ref is not null and dropped = 0",
  "webhook_deliveries_by_age on webhook_deliveries (queued_at)",
  "webhook_deliveries_dead on webhook_deliveries (webhook_id, seq) where state = 'dead'",
  "webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at) where next_attempt_at is not null",
  "webhook_deliveries_waiting on webhook_deliveries (webhook_id, task_id, seq) where state = 'pending'",
  "workspaces_by_task on workspaces (task_id, id)",
];

/** Views, triggers and virtual tables, in the order of their names. */
export const OTHERS: string[] = [
  "virtual task_search",
  "trigger task_search_created",
  "trigger task_search_deleted",
  "trigger task_search_edited",
  "trigger task_search_said",
  "trigger task_search_unsaid",
  "view task_texts",
  "virtual task_trigrams",
];
