/** Tasks by their immutable number, so that a list pages without loss or repeats while rows change. */
import type { TaskStatus } from "../../rules/status.ts";
import { columnsOf, parseRows, type TaskRow, taskRow } from "./rows.ts";
import type { Sql } from "./sql.ts";

export interface TaskFilter {
  statuses: TaskStatus[];
  teamId: string | null;
  parentTaskId: string | null;
  assigneeAgentId: string | null;
  labels: string[];
  kind: string | null;
  externalRef: string | null;
  includeDropped: boolean;
  tenantId: string | null;
}

/** Lets every task through that was not dropped. */
export const EVERY_TASK: TaskFilter = {
  statuses: [],
  teamId: null,
  parentTaskId: null,
  assigneeAgentId: null,
  labels: [],
  kind: null,
  externalRef: null,
  includeDropped: false,
  tenantId: null,
};

const COLUMNS = columnsOf(taskRow);

/** Filters combine; one that is not given lets everything through. */
const FILTER = `(?3 is null or team_id = ?3) and (?4 is null or parent_task_id = ?4)
  and (?5 is null or assignee_agent_id = ?5)
  and not exists (
    select 1 from json_each(?6) as wanted
    where not exists (select 1 from json_each(tasks.labels) as have where have.value = wanted.value)
  )
  and (?7 is null or kind = ?7) and (?8 is null or external_ref = ?8) and (?9 = 1 or dropped = 0)
  and (?10 is null or tenant_id = ?10)`;

type Source = "all" | "status" | "parent" | "assignee" | "reference" | "among";

/** Where each walk starts: the index that narrows most, named so that the planner cannot pick another. */
const FROM: Record<Source, string> = {
  all: "tasks where",
  status: "tasks indexed by tasks_by_status where status = ?11 and dropped = 0 and",
  parent: "tasks indexed by tasks_by_parent where parent_task_id = ?4 and parent_task_id is not null and",
  assignee:
    "tasks indexed by tasks_by_assignee where assignee_agent_id = ?5 and assignee_agent_id is not null and",
  reference:
    "tasks indexed by tasks_by_reference where external_ref = ?8 and external_ref is not null and dropped = 0 and",
  among: "tasks where number in (select value from json_each(?13)) and +",
};

const STATUSES = "(?12 = '[]' or status in (select value from json_each(?12)))";

function statement(source: Source, newestFirst: boolean): string {
  const [compare, direction] = newestFirst ? ["<", "desc"] : [">", ""];
  const status = source === "status" ? "?12 = ?12" : `${STATUSES} and ?11 is ?11`;
  return `select ${COLUMNS} from ${FROM[source]} number ${compare} ?1 and ${FILTER} and ${status}
    order by number ${direction} limit ?2`;
}

const NEWEST = Object.fromEntries(
  (Object.keys(FROM) as Source[]).map((source) => [source, statement(source, true)]),
) as Record<Source, string>;
const OLDEST = Object.fromEntries(
  (Object.keys(FROM) as Source[]).map((source) => [source, statement(source, false)]),
) as Record<Source, string>;

type Bind = (source: Source, status: TaskStatus | null, ...more: string[]) => TaskRow[];

function binder(
  sql: Sql,
  filter: TaskFilter,
  order: "newest" | "oldest",
  cursor: number | null,
  limit: number,
): Bind {
  const statements = order === "newest" ? NEWEST : OLDEST;
  const start = cursor ?? (order === "newest" ? Number.MAX_SAFE_INTEGER : 0);
  return (source, status, ...more) =>
    parseRows(
      taskRow,
      sql.all(
        statements[source],
        start,
        limit,
        filter.teamId,
        filter.parentTaskId,
        filter.assigneeAgentId,
        JSON.stringify(filter.labels),
        filter.kind,
        filter.externalRef,
        filter.includeDropped,
        filter.tenantId,
        status,
        JSON.stringify(filter.statuses),
        ...more,
      ),
    );
}

/** Those of some tasks that the filter lets through, newest or oldest first. */
export function tasksAmong(
  sql: Sql,
  filter: TaskFilter,
  order: "newest" | "oldest",
  numbers: readonly number[],
): TaskRow[] {
  return binder(sql, filter, order, null, numbers.length)("among", null, JSON.stringify(numbers));
}

/** Up to `limit` tasks past `cursor` (a number), newest or oldest first. */
export function listTasks(
  sql: Sql,
  filter: TaskFilter,
  order: "newest" | "oldest",
  cursor: number | null,
  limit: number,
): TaskRow[] {
  const bind = binder(sql, filter, order, cursor, limit);
  if (filter.externalRef !== null && !filter.includeDropped) return bind("reference", null);
  if (filter.parentTaskId !== null) return bind("parent", null);
  if (filter.assigneeAgentId !== null) return bind("assignee", null);
  if (filter.statuses.length === 0 || filter.includeDropped) return bind("all", null);
  // One walk per status, each in order already; together they read rows in proportion to what is returned.
  const rows = filter.statuses.flatMap((status) => bind("status", status));
  rows.sort((a, b) => (order === "newest" ? b.number - a.number : a.number - b.number));
  return rows.slice(0, limit);
}
