/** Inside a board's object: its tables, and operations run directly on them with a `now` of the test's own. */
import { runInDurableObject } from "cloudflare:test";
import type { Context } from "../../src/board/context.ts";
import { readBoardRow, viewBoard } from "../../src/board/store/board-row.ts";
import { EventLog } from "../../src/board/store/events.ts";
import { Sql, type StatementCost } from "../../src/board/store/sql.ts";
import type { Caller } from "../../src/contract/roles.ts";
import type { TestBoard } from "./api.ts";

export const LEAD: Caller = {
  sub: "lead",
  role: "lead",
  jti: null,
  inc: null,
  runtime: null,
  capabilities: [],
};
export const WORKER: Caller = { ...LEAD, sub: "worker", role: "worker" };

export interface Inside {
  sql: Sql;
  storage: DurableObjectStorage;
  /** What each statement of this visit cost, in order. */
  costs: StatementCost[];
  context: (now: number, caller?: Caller) => Context;
}

export async function inside<T>(board: TestBoard, visit: (inside: Inside) => T | Promise<T>): Promise<T> {
  return runInDurableObject(board.stub(), (_instance, state) => {
    const costs: StatementCost[] = [];
    const sql = new Sql(state.storage.sql, (cost) => costs.push(cost));
    const context = (now: number, caller = LEAD): Context => {
      const row = readBoardRow(sql);
      if (row === null) throw new Error("no board");
      return {
        sql,
        now,
        board: viewBoard(row),
        caller,
        log: new EventLog(sql, now, { type: "agent", id: caller.sub }),
        newId: () => crypto.randomUUID(),
        random: () => 0.5,
        due: () => {},
        tokenEnded: () => {},
        beaten: () => {},
      };
    };
    return visit({ sql, storage: state.storage, costs, context });
  });
}

/** Makes the running lease of a task look as old as this. */
export async function backdate(board: TestBoard, taskId: string, byMs: number): Promise<void> {
  await inside(board, ({ sql }) => {
    sql.run(
      "update execution_processes set last_beat_at = last_beat_at - ? where task_id = ? and status = 'running'",
      byMs,
      taskId,
    );
  });
}
