/**
 * What ready tasks demand and what live tokens offer. Tasks that demand the same lie together in their index,
 * so that it is walked by leaps: one row for each different demand, however many tasks make it.
 */
import * as z from "zod";
import { columnsOf, parseRows } from "./columns.ts";
import type { Sql } from "./sql.ts";
import { type StuckRow, stuckRow } from "./stuck.ts";

const DEMANDING = `status = 'todo' and dropped = 0 and assignee_agent_id is null and open_deps = 0
  and deferred = 0 and required_capabilities <> '[]'`;

const listRow = z.object({ capabilities: z.string() });

export const DEMANDS = `with recursive demands(capabilities) as (
    select (
      select required_capabilities from tasks indexed by tasks_demanding
      where ${DEMANDING} order by required_capabilities limit 1
    )
    union
    select (
      select required_capabilities from tasks indexed by tasks_demanding
      where ${DEMANDING} and required_capabilities > demands.capabilities
      order by required_capabilities limit 1
    )
    from demands where demands.capabilities is not null
    limit ?1
  )
  select capabilities from demands where capabilities is not null`;

/** The different lists of capabilities that ready tasks require, as they are stored. */
export function demandedLists(sql: Sql, limit: number): string[] {
  return parseRows(listRow, sql.all(DEMANDS, limit)).map((row) => row.capabilities);
}

export const OFFERS = `select distinct capabilities from tokens indexed by tokens_capable
  where revoked_at is null and capabilities <> '[]' and role <> 'viewer'
    and (expires_at is null or expires_at > ?1)
  limit ?2`;

/** The different lists of capabilities of tokens that may claim now. */
export function offeredLists(sql: Sql, now: number, limit: number): string[] {
  return parseRows(listRow, sql.all(OFFERS, now, limit)).map((row) => row.capabilities);
}

export const COUNT_DEMANDING = `select count(*) from (
    select 1 from tasks indexed by tasks_demanding
    where ${DEMANDING} and required_capabilities in (select value from json_each(?1)) limit ?2
  )`;

export function countDemanding(sql: Sql, lists: readonly string[], limit: number): number {
  return sql.number(COUNT_DEMANDING, JSON.stringify(lists), limit);
}

export const DEMANDING_TASKS = `select ${columnsOf(stuckRow)} from tasks
  where number in (
    select number from tasks indexed by tasks_demanding
    where ${DEMANDING} and required_capabilities in (select value from json_each(?1)) and number > ?2
    order by number limit ?3
  )
  order by number limit ?3`;

/** Ready tasks that require one of these lists, by number. */
export function demandingTasks(sql: Sql, lists: readonly string[], after: number, limit: number): StuckRow[] {
  return parseRows(stuckRow, sql.all(DEMANDING_TASKS, JSON.stringify(lists), after, limit));
}
