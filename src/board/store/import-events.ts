/**
 * The log of an import, written by SQL out of the rows it tells of: their texts never pass through memory.
 * Numbers are given out by the caller; here they only count on.
 */
import type { Actor } from "../../contract/events.ts";
import { execution, storedTask, workspace } from "../../contract/task.ts";
import type { RunKey } from "./import-history.ts";
import { jsonChunks } from "./json-rows.ts";
import type { Sql } from "./sql.ts";

export interface Told {
  now: number;
  actor: Actor;
}

/** Members in calls of at most 32 arguments: the platform allows no more. */
function jsonObject(members: [key: string, value: string][]): string {
  let json = "json_object()";
  for (let next = 0; next < members.length; next += 15)
    json = `json_insert(${json}, ${members
      .slice(next, next + 15)
      .map(([key, value]) => `'$.${key}', ${value}`)
      .join(", ")})`;
  return json;
}

/** A row as the wire shows it: a column under the member's name, unless it is said how it is read. */
function jsonOf(table: string, shape: object, read: Record<string, string>): string {
  const column = (key: string) => `${table}.${key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
  return jsonObject(Object.keys(shape).map((key) => [key, read[key] ?? column(key)]));
}

const flag = (column: string) => `json(iif(${column} = 1, 'true', 'false'))`;

const TASK = jsonOf("tasks", storedTask.shape, {
  dropped: flag("tasks.dropped"),
  verification: "json(tasks.verification)",
  labels: "json(tasks.labels)",
  requiredCapabilities: "json(tasks.required_capabilities)",
  openDependencies: "tasks.open_deps",
});
const RUN = jsonOf("execution_processes", execution.shape, {
  inputTokens: "execution_processes.input_tokens + execution_processes.beat_input_tokens",
  outputTokens: "execution_processes.output_tokens + execution_processes.beat_output_tokens",
  costUsd: "execution_processes.cost_usd + execution_processes.beat_cost_usd",
  handoff: "json(execution_processes.handoff)",
  recoveryTombstone: flag("execution_processes.recovery_tombstone"),
});
const WORKSPACE = jsonOf("workspaces", workspace.shape, {});
const COMMENT = `json_object('id', task_comments.number, 'taskId', task_comments.task_id,
  'authorId', author_id, 'body', body, 'createdAt', task_comments.created_at)`;

const INSERT = "insert into events (seq, at, kind, task_id, actor_type, actor_id, epoch, data, tenant_id)";

/** What stands beside a new task, unless it is one of those whose history is told by itself. */
const history = (json: string, from: string) =>
  `case when tasks.id in (select value from json_each(?5)) then json('[]')
   else (select json_group_array(${json}) from ${from}) end`;

const CREATED = `${INSERT}
  select change_seq, ?1, 'task_created', id, ?2, ?3, null, json_object(
    'task', ${TASK},
    'dependsOn', (
      select json_group_array(depends_on_task_id) from task_deps where task_deps.task_id = tasks.id
    ),
    'onCancel', (
      select json_group_object(depends_on_task_id, on_cancel) from task_deps
      where task_deps.task_id = tasks.id and on_cancel <> 'hold'
    ),
    'comments', ${history(COMMENT, "task_comments indexed by task_comments_by_task where task_comments.task_id = tasks.id")},
    'executions', ${history(RUN, "execution_processes where execution_processes.task_id = tasks.id")},
    'workspaces', ${history(WORKSPACE, "workspaces indexed by workspaces_by_task where workspaces.task_id = tasks.id")}
  ), tenant_id
  from tasks where number >= ?4`;

/** One event for each task from this number on, under its `change_seq`, with everything it came with. */
export function tellCreated(sql: Sql, told: Told, fromNumber: number, large: readonly string[]): void {
  sql.run(CREATED, told.now, told.actor.type, told.actor.id, fromNumber, JSON.stringify(large));
}

const COMMENTS = `${INSERT}
  select ?4 + row_number() over (order by number), ?1, 'comment_added', task_id, ?2, ?3, null,
    json_object('comment', ${COMMENT}), tenant_id
  from task_comments where number >= ?5 and task_id in (select value from json_each(?6))
  returning seq`;

/** One event for each comment of these tasks from this number on; how many. */
export function tellComments(
  sql: Sql,
  told: Told,
  after: number,
  from: number,
  taskIds: Iterable<string>,
): number {
  let count = 0;
  for (const ids of jsonChunks(taskIds))
    count += sql.all(COMMENTS, told.now, told.actor.type, told.actor.id, after + count, from, ids).length;
  return count;
}

const RUNS = `${INSERT}
  select ?4 + row_number() over (order by given.key), ?1, 'task_edited', execution_processes.task_id, ?2, ?3,
    execution_processes.epoch,
    json_object('fields', json_object(), 'reason', 'import', 'execution', ${RUN}), tenant_id
  from json_each(?5) as given cross join execution_processes
    on execution_processes.task_id = given.value ->> 'task_id' and execution_processes.epoch = given.value ->> 'epoch'
  returning seq`;

/** One event for each of these runs; how many. */
export function tellRuns(sql: Sql, told: Told, after: number, runs: readonly RunKey[]): number {
  let count = 0;
  for (const keys of jsonChunks(runs))
    count += sql.all(RUNS, told.now, told.actor.type, told.actor.id, after + count, keys).length;
  return count;
}

const WORKSPACES = `${INSERT}
  select ?4 + row_number() over (order by id), ?1, 'workspace_changed', task_id, ?2, ?3, null,
    json_object('workspace', ${WORKSPACE}), tenant_id
  from workspaces where id in (select value from json_each(?5))
  returning seq`;

/** One event for each of these workspaces; how many. */
export function tellWorkspaces(sql: Sql, told: Told, after: number, ids: readonly string[]): number {
  let count = 0;
  for (const chunk of jsonChunks(ids))
    count += sql.all(WORKSPACES, told.now, told.actor.type, told.actor.id, after + count, chunk).length;
  return count;
}

const LAST = `update tasks set change_seq = (
    select max(seq) from events indexed by events_by_task where events.task_id = tasks.id and events.task_id is not null
  )
  where id in (select value from json_each(?))`;

/** A task's `change_seq` is its last event's, also where an import told several. */
export function followEvents(sql: Sql, taskIds: Iterable<string>): void {
  for (const ids of jsonChunks(taskIds)) sql.run(LAST, ids);
}
