/** Who works here: agents by their tokens, their runs and what they hold, walked by name along the keys. */
import * as z from "zod";
import { ROLES } from "../../contract/roles.ts";
import { STOP_MODES } from "../../contract/task.ts";
import { TASK_STATUSES } from "../../rules/status.ts";
import { parseRows } from "./rows.ts";
import type { Sql } from "./sql.ts";
import { COST } from "./usage.ts";

/** What is held: running runs, and tasks that somebody took by hand, without a lease. A row or two for each. */
const HELD = `select execution_processes.agent_id as agent_id, tasks.id as id, tasks.number as number,
    tasks.title as title, tasks.status as status, last_beat_at, directive, ${COST} as cost_micros
  from execution_processes indexed by executions_running
  cross join tasks on tasks.id = execution_processes.task_id
  where execution_processes.status = 'running'
  union all
  select assignee_agent_id, id, number, title, status, null, null, 0 from tasks indexed by tasks_by_status
  where status = 'in_progress' and dropped = 0 and assignee_agent_id is not null and not exists (
    select 1 from execution_processes indexed by executions_running
    where execution_processes.task_id = tasks.id and execution_processes.status = 'running')`;

/** One seek in each of two keys for an agent, however many tokens or runs it has; and all that is held. */
const AGENT_IDS = `with recursive named (agent_id) as (
    select ?1 union all
    select (select min(agent_id) from (
      select min(agent_id) as agent_id from tokens indexed by tokens_by_agent where agent_id > named.agent_id
      union all select min(agent_id) from run_stats where agent_id > named.agent_id
    )) from named where named.agent_id is not null limit ?2 + 1
  )
  select agent_id from named where agent_id > ?1
  union select agent_id from (${HELD}) where agent_id > ?1
  order by agent_id limit ?2`;

export function agentIds(sql: Sql, after: string, limit: number): string[] {
  return sql.all(AGENT_IDS, after, limit).map((row) => String(row["agent_id"]));
}

const heldRow = z.object({
  agent_id: z.string(),
  id: z.string(),
  number: z.int(),
  title: z.string(),
  status: z.enum(TASK_STATUSES),
  last_beat_at: z.int().nullable(),
  directive: z.enum(STOP_MODES).nullable(),
  /** How many there are of this agent, and what its running runs have cost so far. */
  held: z.int(),
  cost_micros: z.number(),
});
export type HeldRow = z.infer<typeof heldRow>;

const HELD_BY = `select agent_id, id, number, title, status, last_beat_at, directive,
    count(id) over (partition by agent_id) as held, total(cost_micros) over (partition by agent_id) as cost_micros
  from (${HELD}) where agent_id in (select value from json_each(?1)) order by agent_id, number limit ?2`;

/** What these agents hold, by agent and number. */
export function heldBy(sql: Sql, ids: readonly string[], limit: number): HeldRow[] {
  return parseRows(heldRow, sql.all(HELD_BY, JSON.stringify(ids), limit));
}

const seenRow = z.object({
  agent_id: z.string(),
  last_used_at: z.int().nullable(),
  roles: z.string().transform((text) => z.array(z.enum(ROLES)).parse(JSON.parse(text))),
});

const SEEN = `select agent_id, max(last_used_at) as last_used_at,
    json_group_array(distinct role) filter (where revoked_at is null) as roles
  from json_each(?1) as wanted cross join tokens indexed by tokens_by_agent on tokens.agent_id = wanted.value
  group by agent_id limit ?2`;

/** By agent: when its tokens were last used, and the roles of those that stand. */
export function tokensOf(sql: Sql, ids: readonly string[]): Map<string, z.infer<typeof seenRow>> {
  const rows = parseRows(seenRow, sql.all(SEEN, JSON.stringify(ids), ids.length));
  return new Map(rows.map((row) => [row.agent_id, row]));
}
