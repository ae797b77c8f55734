/** With several indexes SQLite can pick the wrong one; these hold what it picks. */
import { expect, it } from "vitest";
import { claimNext } from "../../src/board/operations/claim-next.ts";
import * as edges from "../../src/board/store/dependencies.ts";
import { PROBE } from "../../src/board/store/dependencies.ts";
import { blockerSummaries } from "../../src/board/store/executions.ts";
import { getAncestors } from "../../src/board/store/hierarchy.ts";
import { readyTasks } from "../../src/board/store/ready-queue.ts";
import { runningExecutions, SWEEP, structuralOrphans } from "../../src/board/store/running.ts";
import { listTasks, type TaskFilter } from "../../src/board/store/task-lists.ts";
import { CLAIM, findByReferences, findTasks, MOVE } from "../../src/board/store/tasks.ts";
import { newBoard } from "../support/api.ts";
import { type Inside, inside, WORKER } from "../support/inside.ts";

/** The plan's steps, as SQLite tells them. */
function plan({ sql }: Inside, query: string): string[] {
  const parameters = Math.max(0, ...[...query.matchAll(/\?(\d+)/g)].map((match) => Number(match[1])));
  const bindings = Array<null>(parameters || (query.match(/\?/g) ?? []).length).fill(null);
  return sql.all(`explain query plan ${query}`, ...bindings).map((row) => String(row["detail"]));
}

function plansOf(visit: Inside, work: () => void): string[] {
  const start = visit.costs.length;
  work();
  return visit.costs.slice(start).flatMap(({ query }) => plan(visit, query));
}

/** A walk over a whole table; along the queue's own index, or over the running ones, it is what is meant. */
function scansTable(step: string): boolean {
  const small = /tasks_ready_|tasks_deferred|executions_running|replies_by_age/;
  return (
    /^SCAN (tasks|blocker|task_deps|task_comments|execution_processes|events|tokens)\b/.test(step) &&
    !small.test(step)
  );
}

const EVERYTHING: TaskFilter = {
  statuses: [],
  teamId: null,
  parentTaskId: null,
  assigneeAgentId: null,
  labels: [],
  kind: null,
  externalRef: null,
  includeDropped: false,
  tenantId: null,
};

it("the queue is walked along its own index, in order, without a sort", async () => {
  await inside(await newBoard(), (visit) => {
    for (const [order, index] of [
      ["recent", "tasks_ready_recent"],
      ["fifo", "tasks_ready_fifo"],
    ] as const)
      for (const after of [null, { priority: 1, time: 2, number: 3 }]) {
        const steps = plansOf(visit, () => readyTasks(visit.sql, order, 10, after));
        expect(
          steps.every((step) => step.includes(`USING INDEX ${index}`)),
          steps.join("\n"),
        ).toBe(true);
      }
  });
});

it("a claim goes by the task's number, a probe and a walk by the edges' keys", async () => {
  await inside(await newBoard(), (visit) => {
    expect(plan(visit, CLAIM)).toEqual(["SEARCH tasks USING INTEGER PRIMARY KEY (rowid=?)"]);
    expect(plan(visit, PROBE).filter(scansTable)).toEqual([]);
    const walks = plansOf(visit, () => {
      edges.getDependents(visit.sql, "x", 10);
      edges.blockersOf(visit.sql, "x", 10);
      edges.openBlockersOf(visit.sql, "x", 10);
      edges.upstreamEdges(visit.sql, ["x"]);
      edges.dependentEdges(visit.sql, ["x"], "hold");
      edges.dependentIds(visit.sql, ["x"]);
      edges.closeEdges(visit.sql, ["x"], "all", 1);
      edges.recountOpen(visit.sql, ["x"], 1);
      blockerSummaries(visit.sql, "x", 10);
      getAncestors(visit.sql, "x");
      structuralOrphans(visit.sql, 10);
      runningExecutions(visit.sql, ["x"]);
      findByReferences(visit.sql, ["x"]);
      findTasks(visit.sql, ["x"]);
    });
    expect(walks.filter(scansTable)).toEqual([]);
    expect(plan(visit, MOVE).filter(scansTable)).toEqual([]);
  });
});

it("the sweep looks at running executions only", async () => {
  await inside(await newBoard(), (visit) => {
    expect(plan(visit, SWEEP).join("\n")).toContain("executions_running");
  });
});

it("every list starts from the index that narrows it most", async () => {
  await inside(await newBoard(), (visit) => {
    const list = (filter: Partial<TaskFilter>) =>
      plansOf(visit, () => listTasks(visit.sql, { ...EVERYTHING, ...filter }, "newest", null, 10)).join("\n");
    expect(list({})).toContain("USING INTEGER PRIMARY KEY");
    expect(list({ statuses: ["todo", "blocked"] })).toContain("tasks_by_status");
    expect(list({ parentTaskId: "x" })).toContain("tasks_by_parent");
    expect(list({ assigneeAgentId: "x" })).toContain("tasks_by_assignee");
    expect(list({ externalRef: "x" })).toContain("tasks_by_reference");
    for (const filter of [{}, { statuses: ["done" as const] }, { parentTaskId: "x" }])
      expect(list(filter)).not.toContain("TEMP B-TREE");
  });
});

it("no statement of a claim-next scans a table", async () => {
  await inside(await newBoard(), (visit) => {
    const steps = plansOf(visit, () => claimNext(visit.context(1, WORKER), { limit: 1 }));
    expect(steps.filter(scansTable)).toEqual([]);
  });
});
