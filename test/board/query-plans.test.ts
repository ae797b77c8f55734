/** With several indexes SQLite can pick the wrong one; these hold what it picks. */
import { expect, it } from "vitest";
import { claimNext } from "../../src/board/operations/claim-next.ts";
import { COUNT_BLOCKS } from "../../src/board/store/blocks.ts";
import * as demands from "../../src/board/store/capabilities.ts";
import { commentsByNumber } from "../../src/board/store/comments.ts";
import * as edges from "../../src/board/store/dependencies.ts";
import { PROBE } from "../../src/board/store/dependencies.ts";
import { blockerSummaries } from "../../src/board/store/executions.ts";
import * as graph from "../../src/board/store/graph.ts";
import { getAncestors } from "../../src/board/store/hierarchy.ts";
import * as chain from "../../src/board/store/open-chain.ts";
import { readyTasks } from "../../src/board/store/ready-queue.ts";
import { runningExecutions, SWEEP, structuralOrphans } from "../../src/board/store/running.ts";
import { entriesOf, entriesOfShort } from "../../src/board/store/search.ts";
import * as stranded from "../../src/board/store/stranded.ts";
import * as stuck from "../../src/board/store/stuck.ts";
import { EVERY_TASK, listTasks, type TaskFilter, tasksAmong } from "../../src/board/store/task-lists.ts";
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
      edges.someDependentIds(visit.sql, ["x"], 1);
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
      plansOf(visit, () => listTasks(visit.sql, { ...EVERY_TASK, ...filter }, "newest", null, 10)).join("\n");
    expect(list({})).toContain("USING INTEGER PRIMARY KEY");
    expect(list({ statuses: ["todo", "blocked"] })).toContain("tasks_by_status");
    expect(list({ parentTaskId: "x" })).toContain("tasks_by_parent");
    expect(list({ assigneeAgentId: "x" })).toContain("tasks_by_assignee");
    expect(list({ externalRef: "x" })).toContain("tasks_by_reference");
    for (const filter of [{}, { statuses: ["done" as const] }, { parentTaskId: "x" }])
      expect(list(filter)).not.toContain("TEMP B-TREE");
  });
});

it("a search walks the index of texts in the order of tasks, and reads only the rows it proposes", async () => {
  await inside(await newBoard(), (visit) => {
    const { sql } = visit;
    // M: by what is asked for; < and >: from where the page before ended; 64: in the index's own order.
    expect(plansOf(visit, () => entriesOf(sql, "lease", "newest", 9, 10))).toEqual([
      "SCAN task_search VIRTUAL TABLE INDEX 192:M1<",
    ]);
    expect(plansOf(visit, () => entriesOf(sql, "lease", "oldest", 9, 10))).toEqual([
      "SCAN task_search VIRTUAL TABLE INDEX 64:M1>",
    ]);
    // 512 and 1024: between two pieces.
    expect(plansOf(visit, () => entriesOfShort(sql, "猫", 10))).toEqual([
      "SCAN task_trigrams VIRTUAL TABLE INDEX 1539:",
    ]);
    for (const order of ["newest", "oldest"] as const) {
      const steps = plansOf(visit, () => tasksAmong(sql, EVERY_TASK, order, [1, 2]));
      expect(steps[0]).toBe("SEARCH tasks USING INTEGER PRIMARY KEY (rowid=?)");
      expect(steps.join("\n")).not.toMatch(/SCAN tasks|TEMP B-TREE/);
    }
    expect(plansOf(visit, () => commentsByNumber(sql, [1, 2]))[0]).toBe(
      "SEARCH task_comments USING INTEGER PRIMARY KEY (rowid=?)",
    );
  });
});

it("no statement of a claim-next scans a table", async () => {
  await inside(await newBoard(), (visit) => {
    const steps = plansOf(visit, () => claimNext(visit.context(1, WORKER), { limit: 1 }));
    expect(steps.filter(scansTable)).toEqual([]);
  });
});

/** What a statement walks from end to end, tables and indexes; its own intermediate results aside. */
function walked(visit: Inside, query: string): string[] {
  const own = /VIRTUAL TABLE|^(?:\(?sub|constant|near|met|kin|lineage|member|open_chain|stranded|demands)/i;
  return plan(visit, query).flatMap((step) => {
    const what = /^SCAN (.*)/.exec(step)?.[1];
    return what === undefined || own.test(what) ? [] : [what];
  });
}

it("what explains a task, and what draws it, follows the edges from it and walks nothing whole", async () => {
  await inside(await newBoard(), (visit) => {
    for (const query of [
      chain.FRONTIER,
      chain.WAITING_RELATIVES,
      graph.NEIGHBOURS,
      graph.NODES,
      graph.EDGES,
      graph.FILTERED.status,
      graph.FILTERED.parent,
      stuck.LATEST_RUNS,
      stuck.NAMED,
      COUNT_BLOCKS,
    ])
      expect([query, walked(visit, query)]).toEqual([query, []]);
    expect(plan(visit, graph.NODES).join("\n")).toContain("USING INDEX executions_running");
    expect(plan(visit, graph.EDGES).filter((step) => step.includes("depends_on_task_id=?"))).toEqual([]);
  });
});

it("stuck tasks are found through indexes that hold little else", async () => {
  await inside(await newBoard(), (visit) => {
    const whole = (query: string) => walked(visit, query).map((what) => what.replace(/.*INDEX /, ""));
    expect(whole(stranded.COUNT_STRANDED)).toEqual(["tasks_dead_ends"]);
    expect(whole(stranded.STRANDED_EDGES)).toEqual(["tasks_dead_ends"]);
    expect(whole(stuck.COUNT_RUNNING)).toEqual(["executions_running"]);
    expect(whole(stuck.OVERRUN)).toEqual(["executions_running"]);
    expect(whole(stuck.COUNT_ATTEMPT_LIMITED)).toEqual(["tasks_attempt_limit"]);
    expect(whole(stuck.ATTEMPT_LIMITED)).toEqual([]);
    expect(plan(visit, stuck.ATTEMPT_LIMITED).join("\n")).toContain("tasks_attempt_limit (number>?)");
    expect(whole(stuck.UNLEASED)).toEqual([]);
    for (const index of ["tasks_by_status (status=? AND number>?)", "executions_running (task_id=?)"])
      expect(plan(visit, stuck.UNLEASED).join("\n")).toContain(index);
    // The first leap starts at the front of the index and stops at its first row.
    expect(whole(demands.DEMANDS)).toEqual(["tasks_demanding"]);
    expect(whole(demands.OFFERS)).toEqual(["tokens_capable"]);
    expect(whole(demands.COUNT_DEMANDING)).toEqual([]);
    expect(whole(demands.DEMANDING_TASKS)).toEqual([]);
    for (const query of [stuck.ATTEMPT_LIMITED, stuck.UNLEASED, demands.DEMANDS, demands.OFFERS])
      expect(plan(visit, query).join("\n")).not.toContain("TEMP B-TREE");
  });
});
