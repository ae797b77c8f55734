/** What the board has spent in all, running runs included: one row, moved with whatever reports usage. */
import { MICROS_PER_USD, SUM_MAX } from "../../contract/limits.ts";
import { columnsOf, type UsageRow, usageRow } from "./rows.ts";
import type { Sql } from "./sql.ts";

/** Tokens are counts, cost is micro-dollars; all are whole and not negative. */
export type Usage = Omit<UsageRow, "id" | "tenant_id">;

/** A sum over the ledger, stopped where `addUsage` stops. */
function sumOf(value: string): string {
  return `cast(min(total(${value}), ${SUM_MAX}) as integer)`;
}

/** What the runs of a ledger used, as the columns of a usage row; `COST` is one run's, in micro-dollars. */
export const COST = `round(cost_usd * ${MICROS_PER_USD}) + round(beat_cost_usd * ${MICROS_PER_USD})`;
export const USAGE_SUMS = [
  COST,
  "input_tokens + beat_input_tokens",
  "output_tokens + beat_output_tokens",
  "cache_read",
  "cache_write",
]
  .map(sumOf)
  .join(", ");

/** The row, with what the ledger says: nothing on a new board, everything on one that is older than the row. */
export function installUsage(sql: Sql): void {
  sql.run(
    `insert into board_usage (id, cost_micros, input_tokens, output_tokens, cache_read, cache_write)
     select 'usage', ${USAGE_SUMS} from execution_processes where not exists (select 1 from board_usage)
     on conflict (id) do nothing`,
  );
}

export function readUsage(sql: Sql): Usage {
  const { id: _id, tenant_id: _tenant, ...usage } = usageRow.parse(sql.first(READ));
  return usage;
}

const READ = `select ${columnsOf(usageRow)} from board_usage where id = 'usage'`;

/** One row. A sum stops at what can be counted exactly, so that no report can make the row unreadable. */
export function addUsage(sql: Sql, by: Usage): void {
  sql.run(
    `update board_usage set
       cost_micros = min(cost_micros + ?, ${SUM_MAX}), input_tokens = min(input_tokens + ?, ${SUM_MAX}),
       output_tokens = min(output_tokens + ?, ${SUM_MAX}), cache_read = min(cache_read + ?, ${SUM_MAX}),
       cache_write = min(cache_write + ?, ${SUM_MAX})
     where id = 'usage'`,
    by.cost_micros,
    by.input_tokens,
    by.output_tokens,
    by.cache_read,
    by.cache_write,
  );
}
