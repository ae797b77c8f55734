/** An object of its own with an empty database, for schemas that no board has. */
import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { Sql, type StatementCost } from "../../src/board/store/sql.ts";

export interface Scratch {
  sql: Sql;
  storage: DurableObjectStorage;
  /** What each statement cost, in order. */
  costs: StatementCost[];
}

export async function scratch<T>(visit: (scratch: Scratch) => T): Promise<T> {
  const stub = env.BOARDS.getByName(`scratch-${crypto.randomUUID()}`);
  return runInDurableObject(stub, (_instance, { storage }) => {
    const costs: StatementCost[] = [];
    return visit({ sql: new Sql(storage.sql, (cost) => costs.push(cost)), storage, costs });
  });
}

/** Everything `sqlite_master` knows, as texts. */
export function schemaOf(sql: Sql): string[] {
  return sql
    .all(
      "select sql from sqlite_master where sql is not null and name not like '\\_cf\\_%' escape '\\' order by name",
    )
    .map((row) => String(row["sql"]));
}
