import { evictDurableObject } from "cloudflare:test";
import type { Sql } from "../../src/board/store/sql.ts";
import type { TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";

/** Changes the board's tables behind its back, as an older release would have left them, and starts it anew. */
export async function age(board: TestBoard, change: (sql: Sql) => void): Promise<void> {
  await inside(board, ({ sql, storage }) => {
    storage.transactionSync(() => {
      change(sql);
      sql.run("update board set schema_fingerprint = 'old'");
    });
  });
  await evictDurableObject(board.stub());
}
