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
  schema_before text not null default '[]' check (json_valid(schema_before)),
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
  waited_ms integer,
  kept_at integer,
  trimmed_at integer,
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

-- What the board has spent in all: one row of whole numbers, so that sums are exact; cost in micro-dollars.
create table if not exists board_usage (
  id text not null primary key,
  cost_micros integer not null default 0 check (cost_micros >= 0),
  input_tokens integer not null default 0 check (input_tokens >= 0),
  output_tokens integer not null default 0 check (output_tokens >= 0),
  cache_read integer not null default 0 check (cache_read >= 0),
  cache_write integer not null default 0 check (cache_write >= 0),
  tenant_id text
) strict, without rowid;

-- How runs ended, by agent, day (since the epoch, UTC) and runtime ('' where none was named); kept by whatever
-- ends a run. The agent stands first, so that an agent's days lie together.
create table if not exists run_stats (
  day integer not null,
  agent_id text not null,
  runtime text not null,
  succeeded integer not null default 0,
  failed integer not null default 0,
  timed_out integer not null default 0,
  cancelled integer not null default 0,
  released integer not null default 0,
  cycle_ms integer not null default 0,
  waits integer not null default 0,
  waited_ms integer not null default 0,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  cache_read integer not null default 0,
  cache_write integer not null default 0,
  cost_micros integer not null default 0,
  tenant_id text,
  primary key (agent_id, day, runtime)
) strict, without rowid;

-- Imports that arrive in parts; nobody sees them before they are committed, and they are forgotten after a day.
create table if not exists imports (
  id text not null primary key,
  format text not null check (format in ('edgeboard', 'beads', 'taskmaster')),
  reset integer not null default 0 check (reset in (0, 1)),
  report text check (json_valid(report)),
  created_by text not null,
  created_at integer not null,
  tenant_id text
) strict, without rowid;

-- Their parts, each cut into texts that one row can hold.
create table if not exists import_chunks (
  import_id text not null,
  part integer not null,
  chunk integer not null,
  body text not null,
  tenant_id text,
  primary key (import_id, part, chunk)
) strict, without rowid;

-- Who is told of which events (null: of all). No secret: it follows from the signing key and the id.
create table if not exists webhooks (
  id text not null primary key,
  url text not null,
  kinds text check (json_valid(kinds)),
  state text not null check (state in ('active', 'disabled')),
  disabled_reason text check (disabled_reason in ('gone', 'failing', 'lead')),
  disabled_at integer,
  failures integer not null default 0,
  dead_in_a_row integer not null default 0,
  created_by text not null,
  created_at integer not null,
  tenant_id text
) strict, without rowid;

-- The outbox, and afterwards the log of it: written with the event, and with all that is sent of it. Of each task
-- (and of the board itself, null) the first one that is pending is due; those behind it have no time yet.
create table if not exists webhook_deliveries (
  webhook_id text not null,
  seq integer not null,
  task_id text,
  kind text not null,
  state text not null check (state in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  queued_at integer not null,
  next_attempt_at integer,
  last_attempt_at integer,
  last_status integer,
  last_error text,
  settled_at integer,
  body text not null,
  tenant_id text,
  primary key (webhook_id, seq)
) strict, without rowid;

-- The ready queue, once for each queue order. Readers name the index, so the planner cannot pick another.
create index if not exists tasks_ready_recent on tasks (priority desc, updated_at desc, number)
  where status = 'todo' and dropped = 0 and assignee_agent_id is null and open_deps = 0 and deferred = 0;

create index if not exists tasks_ready_fifo on tasks (priority desc, ready_since, number)
  where status = 'todo' and dropped = 0 and assignee_agent_id is null and open_deps = 0 and deferred = 0;

create index if not exists tasks_deferred on tasks (not_before) where deferred = 1;

create index if not exists tasks_by_status on tasks (status, number) where dropped = 0;

-- What cannot finish: whatever waits for it waits for ever. With the columns that tell so, to spare the row.
create index if not exists tasks_dead_ends on tasks (id, status, dropped)
  where status = 'cancelled' or (dropped = 1 and status <> 'done');

create index if not exists tasks_attempt_limit on tasks (number)
  where status = 'blocked' and blocked_reason = 'attempt_limit' and dropped = 0;

-- Ready tasks that not every token may claim, those that demand the same together.
create index if not exists tasks_demanding on tasks (required_capabilities, number)
  where status = 'todo' and dropped = 0 and assignee_agent_id is null and open_deps = 0 and deferred = 0
    and required_capabilities <> '[]';

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

-- Ended runs that still have their long texts, by the time these began to age.
create index if not exists executions_untrimmed on execution_processes (coalesce(kept_at, ended_at, started_at))
  where status <> 'running' and trimmed_at is null;

-- Tokens that are good no more, or will not be one day, by when that is.
create index if not exists tokens_by_end
  on tokens (min(coalesce(revoked_at, expires_at), coalesce(expires_at, revoked_at)))
  where revoked_at is not null or expires_at is not null;

create index if not exists tokens_by_agent on tokens (agent_id, jti);

create index if not exists tokens_capable on tokens (capabilities)
  where revoked_at is null and capabilities <> '[]';

create index if not exists workspaces_by_task on workspaces (task_id, id);

create index if not exists events_by_task on events (task_id, seq) where task_id is not null;

create index if not exists replies_by_age on replies (created_at);

create index if not exists imports_by_age on imports (created_at);

create index if not exists webhook_deliveries_due on webhook_deliveries (webhook_id, next_attempt_at)
  where next_attempt_at is not null;

create index if not exists webhook_deliveries_waiting on webhook_deliveries (webhook_id, task_id, seq)
  where state = 'pending';

create index if not exists webhook_deliveries_dead on webhook_deliveries (webhook_id, seq) where state = 'dead';

create index if not exists webhook_deliveries_by_age on webhook_deliveries (queued_at);

-- Every text that search looks into. An entry's id is the task's number and, below it, the comment's (0: title
-- and description), so that the index is walked in the order of tasks. The line feeds at the end let the last
-- characters begin a piece of three, too.
create view if not exists task_texts as
  select number << 32 as id, title || char(10) || description || char(10, 10) as text from tasks
  union all
  select (tasks.number << 32) + task_comments.number, task_comments.body || char(10, 10)
  from task_comments cross join tasks on tasks.id = task_comments.task_id;

-- Which entries hold which three characters, whatever their case. It proposes tasks; their texts decide, so it
-- keeps no positions. Search reads it; only the triggers below write it.
create virtual table if not exists task_search using fts5 (
  text, content = 'task_texts', content_rowid = 'id', tokenize = 'trigram', detail = none, columnsize = 0
);

-- The same, by piece: what finds a term of one or two characters.
create virtual table if not exists task_trigrams using fts5vocab ('task_search', 'instance');

create trigger if not exists task_search_created after insert on tasks begin
  insert into task_search (rowid, text)
  values (new.number << 32, new.title || char(10) || new.description || char(10, 10));
end;

create trigger if not exists task_search_edited after update of title, description on tasks
when old.title is not new.title or old.description is not new.description begin
  insert into task_search (task_search, rowid, text)
  values ('delete', old.number << 32, old.title || char(10) || old.description || char(10, 10));
  insert into task_search (rowid, text)
  values (new.number << 32, new.title || char(10) || new.description || char(10, 10));
end;

create trigger if not exists task_search_deleted after delete on tasks begin
  insert into task_search (task_search, rowid, text)
  values ('delete', old.number << 32, old.title || char(10) || old.description || char(10, 10));
end;

create trigger if not exists task_search_said after insert on task_comments begin
  insert into task_search (rowid, text)
  select (number << 32) + new.number, new.body || char(10, 10) from tasks where id = new.task_id;
end;

create trigger if not exists task_search_unsaid after delete on task_comments begin
  insert into task_search (task_search, rowid, text)
  select 'delete', (number << 32) + old.number, old.body || char(10, 10) from tasks where id = old.task_id;
end;
