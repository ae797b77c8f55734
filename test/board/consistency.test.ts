/**
 * Random histories against the definitions: after every step the counters, flags and the log agree with what a
 * plain reading of the tables says. Seeds are printed by fast-check when one fails.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { isReady } from "../../src/rules/readiness.ts";
import { TASK_STATUSES, type TaskStatus } from "../../src/rules/status.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";

/** One step of a history; `a` and `b` pick tasks, the rest says what to do with them. */
const step = fc.record({
  verb: fc.constantFrom(
    "add",
    "link",
    "unlink",
    "move",
    "claim",
    "complete",
    "release",
    "drop",
    "restore",
    "prune",
  ),
  a: fc.nat(11),
  b: fc.nat(11),
  to: fc.constantFrom(...TASK_STATUSES),
  onCancel: fc.constantFrom("hold", "satisfy", "cascade"),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function run(
  board: TestBoard,
  worker: string,
  leases: Map<number, string>,
  tasks: string[],
  each: Step,
) {
  const id = tasks[each.a % tasks.length] ?? "n0";
  const other = tasks[each.b % tasks.length] ?? "n0";
  const path = `${board.path}/tasks/${id}`;
  const leaseToken = leases.get(each.a % tasks.length);
  const lead = (method: string, at: string, body?: object) => call(board.lead, method, at, body);
  switch (each.verb) {
    case "add": {
      const made = ok(await lead("POST", `${board.path}/tasks`, { title: "t", priority: each.b % 3 }), 201);
      return void tasks.push(made.task.id);
    }
    case "link":
      return lead("POST", `${path}/dependencies`, { dependsOnTaskId: other, onCancel: each.onCancel });
    case "unlink":
      return lead("DELETE", `${path}/dependencies/${other}`);
    case "move":
      return lead("PATCH", path, { status: each.to, displace: true });
    case "claim": {
      const reply = await call(worker, "POST", `${path}/claim`, {});
      if (reply.status === 200) leases.set(each.a % tasks.length, reply.json.lease.token);
      return reply;
    }
    case "complete":
      return call(worker, "POST", `${path}/complete`, { leaseToken, outcome: "succeeded", status: "done" });
    case "release":
      return call(worker, "POST", `${path}/release`, { leaseToken });
    case "drop":
      return lead("DELETE", path);
    case "restore":
      return lead("POST", `${path}/restore`, {});
    case "prune":
      return lead("POST", `${path}/cancel-dependents`, {});
  }
}

/** What the tables say when read the plain way. */
async function check(board: TestBoard): Promise<void> {
  const ready = ok(await call(board.lead, "GET", `${board.path}/tasks?ready=true&limit=200`)).tasks;
  const now = Date.now();
  await inside(board, ({ sql }) => {
    const plainlyReady = sql.all(
      `select id from tasks where status = 'todo' and dropped = 0 and assignee_agent_id is null
         and (not_before is null or not_before <= ?)
         and not exists (
           select 1 from task_deps join tasks as blocker on blocker.id = task_deps.depends_on_task_id
           where task_deps.task_id = tasks.id and blocker.status <> 'done'
             and not (blocker.status = 'cancelled' and task_deps.on_cancel = 'satisfy'))
       order by priority desc, updated_at desc, number`,
      now,
    );
    expect(ready.map((task: { id: string }) => task.id)).toEqual(plainlyReady.map((row) => row["id"]));
    const miscounted = sql.all(
      `select tasks.id from tasks where open_deps <> (
         select count(*) from task_deps join tasks as blocker on blocker.id = task_deps.depends_on_task_id
         where task_deps.task_id = tasks.id and blocker.status <> 'done'
           and not (blocker.status = 'cancelled' and task_deps.on_cancel = 'satisfy'))`,
    );
    expect(miscounted, "open_deps equals the count").toEqual([]);
    const counts = sql.first("select * from task_counts") ?? {};
    for (const status of TASK_STATUSES)
      expect(counts[status], `count of ${status}`).toBe(
        sql.number("select count(*) from tasks where status = ? and dropped = 0", status),
      );
    const running = sql.all(
      `select tasks.id from execution_processes join tasks on tasks.id = execution_processes.task_id
       where execution_processes.status = 'running'
         and (tasks.dropped = 1 or tasks.status not in ('in_progress', 'in_review')
              or tasks.assignee_agent_id is not execution_processes.agent_id or tasks.epoch <> execution_processes.epoch)`,
    );
    expect(running, "a running execution is the holder's, of the present epoch").toEqual([]);
    const log = sql.all("select seq, task_id from events order by seq").map((row) => Number(row["seq"]));
    expect(log, "the log has no gap").toEqual(log.map((_, index) => index + 1));
    const lagging = sql.all(
      `select id from tasks where change_seq <> (select max(seq) from events where task_id = tasks.id)`,
    );
    expect(lagging, "changeSeq is the task's last event").toEqual([]);
  });
  for (const task of ok(await call(board.lead, "GET", `${board.path}/tasks?limit=200`)).tasks)
    expect(task.ready).toBe(
      isReady({ ...task, status: task.status as TaskStatus, assigned: task.assigneeAgentId !== null }, now),
    );
}

it("ready, counters, leases and log agree with their definitions after every step of any history", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const board = await newBoard({ caps: { maxDepth: 9 } });
      const worker = await board.mint("worker");
      const leases = new Map<number, string>();
      const tasks: string[] = [];
      for (let first = 0; first < 6; first++) tasks.push((await board.add({ title: `t${first}` })).id);
      for (const each of steps) {
        const reply = await run(board, worker, leases, tasks, each);
        if (reply !== undefined) expect(reply.status, reply.text).toBeLessThan(500);
        await check(board);
      }
    }),
    { numRuns: 25, seed: 20_28 },
  );
}, 180_000);
