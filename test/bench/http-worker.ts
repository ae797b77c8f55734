/** The Worker of `bench:http`: the whole product, three floors to measure it against, and boards that fill at once. */
import { WorkerEntrypoint } from "cloudflare:workers";
import { Board as Product } from "../../src/board/board.ts";
import { Sql } from "../../src/board/store/sql.ts";
import { app } from "../../src/http/app.ts";
import { fill } from "../support/fill.ts";

export { Directory } from "../../src/directory/directory.ts";

interface Counted {
  rowsRead: number;
  rowsWritten: number;
}

/** Every statement of an object from here on, so that what they read and wrote can be added up. */
function watch(storage: DurableObjectStorage): Counted[] {
  const cursors: Counted[] = [];
  const { sql } = storage;
  const exec = sql.exec.bind(sql);
  Object.defineProperty(sql, "exec", {
    value: (...statement: Parameters<SqlStorage["exec"]>) => {
      const cursor = exec(...statement);
      cursors.push(cursor);
      return cursor;
    },
  });
  return cursors;
}

export class Board extends Product {
  readonly #cursors: Counted[];

  constructor(state: DurableObjectState, env: Env) {
    const cursors = watch(state.storage);
    super(state, env);
    this.#cursors = cursors;
  }

  /** As many tasks, half of them waiting and ahead in the order, as in the tests of costs. */
  fillUp(count: number): void {
    const sql = new Sql(this.ctx.storage.sql);
    fill(sql, { count: count / 2, priority: 9, openDeps: 1 });
    fill(sql, { count: count / 2, priority: 1 });
  }

  nothing(): { ok: true } {
    return { ok: true };
  }

  /** The least that a write can be: one row, found by its key. */
  touch(): { ok: true } {
    const { sql } = this.ctx.storage;
    sql.exec("create table if not exists floor (id integer primary key, n integer not null)");
    sql.exec("insert into floor (id, n) values (1, 1) on conflict (id) do update set n = n + 1");
    return { ok: true };
  }

  /** What was read and written since the last time this was asked. */
  rows(): Counted {
    const sum = { rowsRead: 0, rowsWritten: 0 };
    for (const { rowsRead, rowsWritten } of this.#cursors.splice(0)) {
      sum.rowsRead += rowsRead;
      sum.rowsWritten += rowsWritten;
    }
    return sum;
  }
}

const unlimited = { limit: async () => ({ success: true }) };

export default class Bench extends WorkerEntrypoint<Env> {
  override async fetch(request: Request): Promise<Response> {
    const [, room, what, id = "", count] = new URL(request.url).pathname.split("/");
    const { BOARDS } = this.env as unknown as { BOARDS: DurableObjectNamespace<Board> };
    if (room === "floor" && what === "route") return Response.json({ ok: true });
    if (room === "floor" && what === "object")
      return Response.json(await BOARDS.getByName("floor").nothing());
    if (room === "floor" && what === "update") return Response.json(await BOARDS.getByName("floor").touch());
    if (room === "bench" && what === "fill") {
      await BOARDS.getByName(id).fillUp(Number(count));
      return new Response();
    }
    if (room === "bench" && what === "rows") return Response.json(await BOARDS.getByName(id).rows());
    return app.fetch(request, { ...this.env, TOKEN_LIMIT: unlimited, ADDRESS_LIMIT: unlimited }, this.ctx);
  }
}
