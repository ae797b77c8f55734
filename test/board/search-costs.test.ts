/** What the index of texts costs those who write, and a search those who read, in counted rows. */
import { describe, expect, it } from "vitest";
import { changeTask } from "../../src/board/operations/change-task.ts";
import { claimTask } from "../../src/board/operations/claim-task.ts";
import { addComment } from "../../src/board/operations/comments.ts";
import { completeTask } from "../../src/board/operations/complete-task.ts";
import { createTask } from "../../src/board/operations/create-task.ts";
import { heartbeat } from "../../src/board/operations/heartbeat.ts";
import { listTasks } from "../../src/board/operations/list-tasks.ts";
import { releaseTask } from "../../src/board/operations/release-task.ts";
import { EVERY_TASK } from "../../src/board/store/task-lists.ts";
import type { Result } from "../../src/contract/result.ts";
import type { LeaseProof } from "../../src/contract/roles.ts";
import { newBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { type Inside, inside, LEAD, WORKER } from "../support/inside.ts";

const NOW = 1_800_000_000_000;

function valueIn<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.reason} ${result.detail}`);
  return result.value;
}

function cost(visit: Inside, work: () => unknown): { read: number; written: number } {
  const start = visit.costs.length;
  work();
  const counted = visit.costs.slice(start);
  return {
    read: counted.reduce((sum, { rowsRead }) => sum + rowsRead, 0),
    written: counted.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0),
  };
}

/** What each step of a task's life writes. */
function life(visit: Inside): Record<string, number> {
  const written: Record<string, number> = {};
  let id = "";
  const step = <T>(
    name: string,
    caller: typeof LEAD,
    work: (ctx: ReturnType<Inside["context"]>) => Result<T>,
  ): T => {
    let value: T | undefined;
    written[name] = cost(visit, () => {
      value = valueIn(work(visit.context(NOW, caller)));
    }).written;
    return value as T;
  };
  const claim = (name: string): LeaseProof => {
    const { lease } = step(name, WORKER, (ctx) => claimTask(ctx, { id }));
    const { incarnation, executionId, epoch } = lease;
    return { kind: "signed", incarnation, executionId, epoch };
  };
  const change = (name: string, rest: object) =>
    step(name, LEAD, (ctx) =>
      changeTask(ctx, {
        id,
        content: {},
        lease: null,
        humanOverride: false,
        overrideReason: null,
        displace: false,
        ifVersion: null,
        ifChangeSeq: null,
        ...rest,
      }),
    );
  id = step("create", LEAD, (ctx) =>
    createTask(ctx, { draft: { title: "A heron", description: "stands still" } }),
  ).task.id;
  step("comment", WORKER, (ctx) => addComment(ctx, { id, body: "It moves" }));
  change("edit of the title", { content: { title: "An egret" } });
  change("edit of title and description", { content: { title: "A stork", description: "flies" } });
  change("edit of the priority", { content: { priority: 4 } });
  change("edit to the same title", { content: { title: "A stork" } });
  change("move", { status: "backlog" });
  change("move back", { status: "todo" });
  const first = claim("claim");
  step("beat", WORKER, (ctx) => heartbeat(ctx, { id, lease: first }));
  step("release", WORKER, (ctx) => releaseTask(ctx, { id, lease: first }));
  const second = claim("claim again");
  step("complete", WORKER, (ctx) =>
    completeTask(ctx, { id, lease: second, outcome: "succeeded", status: "done" }),
  );
  return written;
}

it("a create and a comment write one row more, an edit of the text two, and nothing else writes any", async () => {
  const indexed = await inside(await newBoard(), life);
  const plain = await inside(await newBoard(), (visit) => {
    for (const name of ["created", "edited", "deleted", "said", "unsaid"])
      visit.sql.run(`drop trigger task_search_${name}`);
    return life(visit);
  });
  const more = Object.keys(plain).map((name) => [name, (indexed[name] ?? 0) - (plain[name] ?? 0)]);
  expect(Object.fromEntries(more)).toEqual({
    create: 1,
    comment: 1,
    "edit of the title": 2,
    "edit of title and description": 2,
    "edit of the priority": 0,
    "edit to the same title": 0,
    move: 0,
    "move back": 0,
    claim: 0,
    beat: 0,
    release: 0,
    "claim again": 0,
    complete: 0,
  });
});

describe.each([2_000, 20_000])("of %i tasks", (size) => {
  /** Twenty tasks say needle in their titles, twenty others in a comment; every title says task. */
  async function haystack() {
    const board = await newBoard();
    await inside(board, ({ sql }) => {
      fill(sql, { count: size, priority: 1 });
      const every = size / 20;
      sql.run(`update tasks set title = title || ' needle 針' where number % ${every} = 7`);
      sql.run(
        `insert into task_comments (task_id, author_id, body, created_at)
         select id, 'x', 'a heron 鷺', 1 from tasks where number % ${every} = 3`,
      );
    });
    return board;
  }

  const look = (visit: Inside, q: string, order: "newest" | "oldest", limit = 50) => {
    let count = 0;
    const { read, written } = cost(visit, () => {
      count = valueIn(
        listTasks(visit.context(NOW, WORKER), { filter: EVERY_TASK, order, q, cursor: null, limit }),
      ).tasks.length;
    });
    return { count, read, written };
  };

  it.each([
    ["needle", 20, 82],
    ["heron", 20, 142],
    ["針", 20, 82],
    ["鷺", 20, 142],
    ["task needle", 20, 302],
    ["task 針", 20, 282],
    ["needle heron", 0, 164],
    ["absent", 0, 4],
    ["absent task", 0, 204],
    ["task", 50, 206],
  ])("%j is found within as many rows as its matches need", async (q, matches, most) => {
    await inside(await haystack(), (visit) => {
      for (const order of ["newest", "oldest"] as const) {
        const { count, read, written } = look(visit, q, order);
        expect([q, order, count, written]).toEqual([q, order, matches, 0]);
        expect(read, `${q} ${order}`).toBeLessThanOrEqual(most);
      }
    });
  });
});
