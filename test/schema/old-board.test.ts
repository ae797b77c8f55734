/** A board that an older schema made: it opens, gains what it lacks, and keeps what it has. */
import { evictDurableObject } from "cloudflare:test";
import { expect, it } from "vitest";
import ddl from "../../migrations-free-schema/board.sql";
import { fingerprint } from "../../src/board/store/schema.ts";
import { call, events, newBoard, ok, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { age } from "./age.ts";
import { liveIndexes, liveTables } from "./live.ts";

/** A schema as sets, since a column that came later stands at the end. */
const shapeOf = (board: TestBoard) =>
  inside(board, ({ sql }) => ({
    tables: [...liveTables(sql).values()].map((table) => ({
      ...table,
      columns: table.columns
        .map(({ name, type, notNull, default: value, key, definition }) => ({
          name,
          type,
          notNull,
          value,
          key,
          definition,
        }))
        .sort((a, b) => a.name.localeCompare(b.name)),
    })),
    indexes: liveIndexes(sql),
    fingerprint: sql.first("select schema_fingerprint from board")?.["schema_fingerprint"],
  }));

const summary = async (board: TestBoard) => ok(await call(board.lead, "GET", board.path));

it("gains columns, tables and indexes, and is then the board a new one is", async () => {
  const board = await newBoard();
  await age(board, (sql) => {
    sql.run("alter table tasks drop column scheduled_by");
    sql.run("alter table tasks drop column attempt_streak");
    sql.run("alter table tasks drop column changes_notes");
    sql.run("drop table workspaces");
    sql.run("alter table execution_processes drop column cache_read");
    sql.run("alter table execution_processes drop column directive");
    sql.run("alter table board drop column failed_alarms");
    sql.run("alter table tokens drop column tenant_id");
    sql.run("drop table replies");
    sql.run("drop index tasks_deferred");
    sql.run("drop index tasks_ready_recent");
    sql.run("create index tasks_ready_recent on tasks (priority, updated_at) where status = 'todo'");
    sql.run("drop index executions_running");
    sql.run("create index executions_running on execution_processes (task_id)");
  });
  ok(await call(board.lead, "GET", `${board.path}/tasks`));
  const shape = await shapeOf(board);
  expect(shape).toEqual(await shapeOf(await newBoard()));
  expect(shape.fingerprint).toBe(fingerprint(ddl));
});

it("keeps its tasks, runs, comments and log, and goes on working", async () => {
  const board = await newBoard();
  const worker = await board.mint("ada");
  const first = await board.add({ title: "first", description: "kept", labels: ["a"] });
  const second = await board.add({ title: "second", dependsOn: [first.id] });
  const { lease } = await board.claim(first.id, worker);
  ok(await call(board.lead, "POST", `${board.path}/tasks/${first.id}/comments`, { body: "kept" }), 201);
  const before = {
    summary: await summary(board),
    first: await board.get(first.id),
    second: await board.get(second.id),
    log: await events(board),
  };
  await age(board, (sql) => {
    sql.run("alter table tasks drop column attempt_streak");
    sql.run("alter table tasks drop column parent_session_id");
    sql.run("alter table execution_processes drop column beat_cost_usd");
    sql.run("alter table task_comments drop column tenant_id");
    sql.run("drop table replies");
    sql.run("drop index task_deps_by_blocker");
  });
  expect({
    summary: await summary(board),
    first: await board.get(first.id),
    second: await board.get(second.id),
    log: await events(board),
  }).toEqual(before);
  const done = ok(
    await call(worker, "POST", `${board.path}/tasks/${first.id}/complete`, {
      leaseToken: lease.token,
      outcome: "succeeded",
      status: "done",
    }),
  );
  expect(done.unblocked.map((task: { id: string }) => task.id)).toEqual([second.id]);
  const third = await call(
    board.lead,
    "POST",
    `${board.path}/tasks`,
    { title: "third" },
    { "idempotency-key": "k" },
  );
  expect(ok(third, 201).task.number).toBe(3);
});

it("a table that was made anew with fewer columns keeps its rows and gains the rest", async () => {
  const board = await newBoard();
  const count = await inside(board, ({ sql }) => sql.number("select count(*) from audit"));
  expect(count).toBeGreaterThan(0);
  await age(board, (sql) => {
    sql.run(`create table old_audit (
      number integer primary key, at integer not null, actor_id text not null, kind text not null) strict`);
    sql.run("insert into old_audit select number, at, actor_id, kind from audit");
    sql.run("drop table audit");
    sql.run("alter table old_audit rename to audit");
  });
  const { entries } = ok(await call(board.lead, "GET", `${board.path}/audit`));
  expect(entries).toHaveLength(count);
  expect(entries[0]).toMatchObject({ kind: "token_minted", taskId: null, reason: null, data: {} });
});

it("gains the table of counts with the counts in it", async () => {
  const board = await newBoard();
  await board.add({ title: "one" });
  await board.add({ title: "two", status: "backlog" });
  const before = await summary(board);
  await age(board, (sql) => sql.run("drop table task_counts"));
  expect((await call(board.lead, "GET", board.path)).json).toEqual(before);
});

it("what was read without the new columns is read with their defaults", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "one", externalRef: "gh-1" });
  await age(board, (sql) => {
    sql.run("update tasks set version = 9, kind = 'bug'");
    sql.run("alter table tasks drop column version");
    sql.run("alter table tasks drop column kind");
  });
  expect(await board.get(task.id)).toMatchObject({ version: 1, kind: null, externalRef: "gh-1" });
});

it("looks once: a second start with the same schema writes nothing to it", async () => {
  const board = await newBoard();
  await board.add({ title: "one" });
  const before = await shapeOf(board);
  for (let start = 0; start < 2; start++) {
    await evictDurableObject(board.stub());
    expect(await shapeOf(board)).toEqual(before);
  }
  await age(board, () => {});
  expect(await shapeOf(board)).toEqual(before);
});

it("an index that guards a promise is re-created with the promise", async () => {
  const board = await newBoard();
  await board.add({ title: "one", externalRef: "gh-1" });
  await age(board, (sql) => sql.run("drop index tasks_by_reference"));
  const twin = await call(board.lead, "POST", `${board.path}/tasks`, { title: "two", externalRef: "gh-1" });
  expect(twin.status).toBe(409);
  await inside(board, ({ sql }) => {
    expect(() =>
      sql.run(
        `insert into tasks (id, title, status, external_ref, ready_since, change_seq, created_at, updated_at)
         values ('x', 'x', 'todo', 'gh-1', 0, 0, 0, 0)`,
      ),
    ).toThrow("UNIQUE");
  });
});
