/** How runs ended, counted by agent, day and runtime: one row for each, moved when a run ends. */
import { DAY_MS, SUM_MAX } from "../../contract/limits.ts";
import { jsonChunks } from "./json-rows.ts";
import { columnsOf, insertMany, parseRows, type RunStatsRow, runStatsRow } from "./rows.ts";
import type { Sql } from "./sql.ts";
import { USAGE_SUMS } from "./usage.ts";

const KEY = ["agent_id", "day", "runtime"];
const COUNTERS = Object.keys(runStatsRow.shape).filter(
  (column) => !KEY.includes(column) && column !== "tenant_id",
);

/** Values are bound as they come; a sum stops at what can be counted exactly. */
const ADD = `${insertMany("run_stats", runStatsRow)}
  on conflict (agent_id, day, runtime) do update set
  ${COUNTERS.map((column) => `${column} = min(${column} + excluded.${column}, ${SUM_MAX})`).join(", ")}`;

/** One statement as a rule; one row written for each row given. */
export function addRuns(sql: Sql, rows: readonly RunStatsRow[]): void {
  for (const chunk of jsonChunks(rows)) sql.run(ADD, chunk);
}

/** On a board older than the counters: what its ledger says. */
export function installRunStats(sql: Sql): void {
  sql.run(
    `insert into run_stats (agent_id, day, runtime, succeeded, failed, timed_out, cancelled, released,
       cycle_ms, waits, waited_ms, cost_micros, input_tokens, output_tokens, cache_read, cache_write)
     select agent_id, ended_at / ${DAY_MS}, coalesce(runtime, ''), sum(status = 'succeeded'),
       sum(status = 'failed'), sum(status = 'timed_out'), sum(status = 'cancelled'), sum(status = 'released'),
       sum(case when status = 'succeeded' then max(0, ended_at - started_at) else 0 end),
       count(waited_ms), coalesce(sum(waited_ms), 0), ${USAGE_SUMS}
     from execution_processes
     where status <> 'running' and ended_at is not null and not exists (select 1 from run_stats)
     group by agent_id, ended_at / ${DAY_MS}, coalesce(runtime, '')`,
  );
}

const COLUMNS = columnsOf(runStatsRow, "run_stats");

/** Agents are walked along the key, one seek each, and of each only the days asked for. */
const SINCE = `with recursive agents (agent_id) as (
    select '' union all
    select (select min(agent_id) from run_stats where agent_id > agents.agent_id) from agents
    where agents.agent_id is not null
  )
  select ${COLUMNS} from agents
  cross join run_stats on run_stats.agent_id = agents.agent_id and run_stats.day >= ?1 limit ?2`;

/** Everything counted since a day. */
export function runsSince(sql: Sql, day: number, limit: number): RunStatsRow[] {
  return parseRows(runStatsRow, sql.all(SINCE, day, limit));
}

const SINCE_OF = `select ${COLUMNS} from json_each(?1) as wanted
  cross join run_stats on run_stats.agent_id = wanted.value and run_stats.day >= ?2 limit ?3`;

/** Everything counted of these agents since a day. */
export function runsOf(sql: Sql, agentIds: readonly string[], day: number, limit: number): RunStatsRow[] {
  return parseRows(runStatsRow, sql.all(SINCE_OF, JSON.stringify(agentIds), day, limit));
}
