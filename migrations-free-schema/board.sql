-- The whole schema of one board: the sole source, applied as it stands to a new board and compared with a
-- live one. Additive only; README.md beside this file says what may be added and how. Times are epoch
-- milliseconds, flags are 0 or 1, JSON is text. The file ends in a statement.

create table if not exists board (
  id text not null primary key,
  name text not null,
  incarnation text not null,
  operation_id text not null,
  settings text not null check (json_valid(settings)),
  paused integer not null default 0 check (paused in (0, 1)),
  archived integer not null default 0 check (archived in (0, 1)),
  last_sweep_at integer not null default 0,
  failed_alarms integer not null default 0,
  schema_fingerprint text not null,
  created_at integer not null,
  updated_at integer not null,
  tenant_id text
) strict, without rowid;

create table if not exists tokens (
  jti text not null primary key,
  agent_id text not null,
  role text not null check (role in ('viewer', 'worker', 'verifier', 'lead')),
  runtime text,
  capabilities text not null default '[]' check (json_valid(capabilities)),
  created_by text not null,
  created_at integer not null,
  expires_at integer,
  last_used_at integer,
  revoked_at integer,
  tenant_id text
) strict, without rowid;

create table if not exists tasks (
  number integer primary key,
  id text not null unique,
  title text not null,
  description text not null default '',
  status text not null
    check (status in ('backlog', 'todo', 'in_progress', 'in_review', 'blocked', 'done', 'cancelled')),
  priority integer not null default 0,
  team_id text,
  assignee_agent_id text,
  assignee_runtime text,
  parent_task_id text references tasks (id),
  source_delegation_id text,
  worktree_ref text,
  branch_ref text,
  budget_usd real,
  parent_session_id text,
  dropped integer not null default 0 check (dropped in (0, 1)),
  verification text,
  scheduled_by text,
  kind text,
  labels text not null default '[]' check (json_valid(labels)),
  required_capabilities text not null default '[]' check (json_valid(required_capabilities)),
  external_ref text,
  blocked_reason text,
  not_before integer,
  deferred integer not null default 0 check (deferred in (0, 1)),
  open_deps integer not null default 0 check (open_deps >= 0),
  ready_since integer not null,
  epoch integer not null default 0,
  attempt_streak integer not null default 0,
  changes_notes text,
  version integer not null default 1,
  change_seq integer not null,
  guarded integer not null default 0 check (guarded in (0, 1)),
  created_by text,
  created_at integer not null,
  updated_at integer not null,
  completed_at integer,
  tenant_id text
) strict;

create table if not exists task_deps (
  task_id text not null references tasks (id),
  depends_on_task_id text not null references tasks (id),
  on_cancel text not null default 'hold' check (on_cancel in ('hold', 'satisfy', 'cascade')),
  created_at integer not null,
  tenant_id text,
  primary key (task_id, depends_on_task_id)
) strict, without rowid;

create table if not exists task_comments (
  number integer primary key,
  task_id text not null references tasks (id),
  author_id text not null,
  body text not null,
  created_at integer not null,
  tenant_id text
) strict;

create table if not exists execution_processes (
  task_id text not null,
  epoch integer not null,
  id text not null unique,
  agent_id text not null,
  token_id text,
  runtime text,
  executor_type text,
  run_reason text,
  status text not null
    check (status in ('running', 'succeeded', 'failed', 'timed_out', 'cancelled', 'released')),
  reason text,
  completion text,
  started_at integer not null,
  last_beat_at integer not null,
  ended_at integer,
  progress text,
  summary text,
  error text,
  before_commit text,
  after_commit text,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  cache_read integer not null default 0,
  cache_write integer not null default 0,
  cost_usd real not null default 0,
  beat_input_tokens integer not null default 0,
  beat_output_tokens integer not null default 0,
  beat_cost_usd real not null default 0,
  handoff text,
  comments_read integer not null default 0,
  directive text check (directive in ('cancel', 'drain')),
  directive_reason text,
  recovery_tombstone integer not null default 0 check (recovery_tombstone in (0, 1)),
  tenant_id text,
  primary key (task_id, epoch)
) strict, without rowid;

create table if not exists workspaces (
  id text not null primary key,
  task_id text not null references tasks (id),
  repo_path text not null,
  worktree_path text,
  branch text,
  base_sha text,
  status text not null default 'active' check (status in ('active', 'archived', 'stale')),
  created_by text not null,
  created_at integer not null,
  last_used_at integer not null,
  tenant_id text
) strict, without rowid;

create table if not exists events (
  seq integer primary key,
  at integer not null,
  kind text not null,
  task_id text,
  actor_type text not null check (actor_type in ('agent', 'operator', 'board')),
  actor_id text not null,
  epoch integer,
  data text not null default '{}' check (json_valid(data)),
  tenant_id text
) strict;

create table if not exists audit (
  number integer primary key,
  at integer not null,
  actor_id text not null,
  kind text not null,
  task_id text,
  prior_status text,
  reason text,
  data text not null default '{}' check (json_valid(data)),
  tenant_id text
) strict;

create table if not exists replies (
  principal text not null,
  scope text not null,
  idempotency_key text not null,
  body_hash text not null,
  answer text not null check (json_valid(answer)),
  leases text not null default '[]' check (json_valid(leases)),
  created_at integer not null,
  tenant_id text,
  primary key (principal, scope, idempotency_key)
) strict, without rowid;

-- How many tasks stand in each status, not-dropped ones only; kept by the statements that move them.
create table if not exists task_counts (
  id text not null primary key,
  backlog integer not null default 0 check (backlog >= 0),
  todo integer not null default 0 check (todo >= 0),
  in_progress integer not null default 0 check (in_progress >= 0),
  in_review integer not null default 0 check (in_review >= 0),
  blocked integer not null default 0 check (blocked >= 0),
  done integer not null default 0 check (done >= 0),
  cancelled integer not null default 0 check (cancelled >= 0),
  tenant_id text
) strict, without rowid;

-- The ready queue, once for each queue order. Readers name the index, so the planner cannot pick another.
create index if not exists tasks_ready_recent on tasks (priority desc, updated_at desc, number)
  where status = 'todo' and dropped = 0 and assignee_agent_id is null and open_deps = 0 and deferred = 0;

create index if not exists tasks_ready_fifo on tasks (priority desc, ready_since, number)
  where status = 'todo' and dropped = 0 and assignee_agent_id is null and open_deps = 0 and deferred = 0;

create index if not exists tasks_deferred on tasks (not_before) where deferred = 1;

create index if not exists tasks_by_status on tasks (status, number) where dropped = 0;

create index if not exists tasks_by_parent on tasks (parent_task_id, number) where parent_task_id is not null;

create index if not exists tasks_by_assignee on tasks (assignee_agent_id, number)
  where assignee_agent_id is not null;

create unique index if not exists tasks_by_reference on tasks (external_ref)
  where external_ref is not null and dropped = 0;

create index if not exists tasks_guarded_roots on tasks (created_at)
  where guarded = 1 and parent_task_id is null and dropped = 0;

create index if not exists task_deps_by_blocker on task_deps (depends_on_task_id, task_id);

create index if not exists task_comments_by_task on task_comments (task_id, number);

-- One running execution per task, and the list the sweep walks.
create unique index if not exists executions_running on execution_processes (task_id) where status = 'running';

create index if not exists workspaces_by_task on workspaces (task_id, id);

create index if not exists events_by_task on events (task_id, seq) where task_id is not null;

create index if not exists replies_by_age on replies (created_at);
