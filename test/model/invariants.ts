/** What has to hold after every command: the tables against the model, the counters, and the log alone. */
import { expect } from "vitest";
import type { Sql } from "../../src/board/store/sql.ts";
import { type Inside, inside } from "../support/inside.ts";
import type { World } from "./commands.ts";
import type { Model } from "./model.ts";
import { replayLog } from "./replay-log.ts";

export async function hold(world: World, model: Model): Promise<void> {
  await inside(world.board, (visit) => {
    sameAsModel(visit.sql, model);
    oneLeasePerTask(visit);
    countersAreRight(visit.sql);
    logIsWhole(visit.sql);
  });
}

function sameAsModel(sql: Sql, model: Model): void {
  const rows = sql.all(
    `select tasks.number, tasks.status, tasks.dropped, tasks.assignee_agent_id as holder, tasks.epoch,
       tasks.attempt_streak as streak, tasks.open_deps, tasks.updated_at, running.epoch as running
     from tasks left join execution_processes as running
       on running.task_id = tasks.id and running.status = 'running' order by tasks.number`,
  );
  const expected = model.tasks.map((task) => ({
    number: task.number,
    status: task.status,
    dropped: Number(task.dropped),
    holder: task.holder,
    epoch: task.epoch,
    streak: task.streak,
    open_deps: model.open(task).length,
    updated_at: task.updatedAt,
    running: task.running?.epoch ?? null,
  }));
  expect(rows).toEqual(expected);
  const ready = sql.all(
    `select number from tasks indexed by tasks_ready_recent
     where status = 'todo' and dropped = 0 and assignee_agent_id is null and open_deps = 0 and deferred = 0
     order by priority desc, updated_at desc, number`,
  );
  expect(
    ready.map((row) => row["number"]),
    "ready is the definition, in queue order",
  ).toEqual(model.queue().map((task) => task.number));
}

function oneLeasePerTask({ sql }: Inside): void {
  const none = (query: string, what: string) => expect(sql.all(query), what).toEqual([]);
  none(
    "select task_id from execution_processes where status = 'running' group by task_id having count(*) > 1",
    "at most one running execution per task",
  );
  none(
    `select tasks.id from execution_processes join tasks on tasks.id = execution_processes.task_id
     where execution_processes.status = 'running'
       and (tasks.epoch <> execution_processes.epoch or tasks.assignee_agent_id is not execution_processes.agent_id)`,
    "it is the holder's, of the present epoch",
  );
  none(
    `select task_id, epoch from events where kind in ('execution_completed') group by task_id, epoch having count(*) > 1`,
    "one accepted finish per epoch",
  );
  none(
    `select task_id from events as claimed where kind in ('task_claimed', 'execution_started') and exists (
       select 1 from events as earlier where earlier.task_id = claimed.task_id and earlier.seq < claimed.seq
         and earlier.kind in ('task_claimed', 'execution_started') and earlier.epoch >= claimed.epoch)`,
    "epochs strictly grow",
  );
}

function countersAreRight(sql: Sql): void {
  const kept = sql.first(
    "select backlog, todo, in_progress, in_review, blocked, done, cancelled from task_counts",
  );
  const counted = sql.first(
    `select coalesce(sum(status = 'backlog'), 0) as backlog, coalesce(sum(status = 'todo'), 0) as todo,
       coalesce(sum(status = 'in_progress'), 0) as in_progress, coalesce(sum(status = 'in_review'), 0) as in_review,
       coalesce(sum(status = 'blocked'), 0) as blocked, coalesce(sum(status = 'done'), 0) as done,
       coalesce(sum(status = 'cancelled'), 0) as cancelled from tasks where dropped = 0`,
  );
  expect(kept, "counts by status").toEqual(counted);
}

function logIsWhole(sql: Sql): void {
  const log = sql.all("select seq, kind, task_id, actor_id, epoch, data from events order by seq");
  expect(
    log.map((row) => row["seq"]),
    "seq has no gap",
  ).toEqual(log.map((_, index) => index + 1));
  const rebuilt = replayLog(
    log.map((row) => ({
      kind: String(row["kind"]),
      taskId: row["task_id"] === null ? null : String(row["task_id"]),
      actorId: String(row["actor_id"]),
      epoch: row["epoch"] === null ? null : Number(row["epoch"]),
      data: JSON.parse(String(row["data"])),
    })),
  );
  const edges = Map.groupBy(sql.all("select task_id, depends_on_task_id from task_deps"), (row) =>
    String(row["task_id"]),
  );
  for (const row of sql.all(
    "select id, status, dropped, priority, assignee_agent_id, epoch, attempt_streak from tasks",
  )) {
    const waitsFor = (edges.get(String(row["id"])) ?? [])
      .map((edge) => String(edge["depends_on_task_id"]))
      .sort();
    expect(rebuilt.get(String(row["id"])), "the log alone rebuilds the task").toEqual({
      status: row["status"],
      dropped: row["dropped"] === 1,
      priority: row["priority"],
      holder: row["assignee_agent_id"],
      epoch: row["epoch"],
      streak: row["attempt_streak"],
      waitsFor,
    });
  }
}
