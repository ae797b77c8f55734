/** Large boards: how many statements an import takes, and how an export that is too large for one read comes. */
import { describe, expect, it } from "vitest";
import { importBoard } from "../../src/board/operations/import-board.ts";
import { importTasks } from "../../src/board/operations/import-tasks.ts";
import type { ImportedTask } from "../../src/import-export/imported.ts";
import { call, events, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import {
  AT,
  commentLine,
  edgeLine,
  exportOf,
  runLine,
  taskLine,
  workspaceLine,
} from "../support/export-lines.ts";
import { exported, holds, importing, openExport } from "../support/exports.ts";
import { type Inside, inside } from "../support/inside.ts";

const NOW = AT + 1_000_000_000;
const TASKS = 2_000;

const each = <T>(make: (number: number) => T) => Array.from({ length: TASKS }, (_, index) => make(index + 1));

/** How many statements `work` runs, in one transaction. */
function statements({ costs, storage }: Inside, work: () => { ok: boolean }): number {
  const start = costs.length;
  storage.transactionSync(() => expect(work()).toMatchObject({ ok: true }));
  return costs.length - start;
}

function foreign(number: number, updatedAt = AT): ImportedTask {
  return {
    externalRef: `X-${number}`,
    title: `Title of ${number}`,
    description: "d".repeat(200),
    status: "todo",
    priority: 1,
    kind: null,
    labels: ["a"],
    parentRef: number > 10 ? `X-${(number % 10) + 1}` : null,
    dependsOn: number > 1 ? [`X-${number - 1}`] : [],
    comments: [{ authorId: "ada", body: `said at ${updatedAt}`, at: AT }],
    createdBy: null,
    notBefore: null,
    createdAt: AT,
    updatedAt,
    completedAt: null,
  };
}

describe(`an import of ${TASKS} tasks`, () => {
  it("of another tool takes some forty statements: to create, to update, and to find nothing new", async () => {
    const board = await newBoard();
    await inside(board, (visit) => {
      const run = (at: number) => () =>
        importTasks(visit.context(NOW), {
          source: "beads",
          tasks: each((number) => foreign(number, at)),
          skipped: [],
          dryRun: false,
        });
      expect(statements(visit, run(AT))).toBeLessThan(45);
      expect(statements(visit, run(AT))).toBeLessThan(10);
      expect(statements(visit, run(AT + 1))).toBeLessThan(45);
      expect(visit.sql.number("select count(*) from task_comments")).toBe(2 * TASKS);
    });
    await holds(board);
  });

  it("with edges, comments and runs of a board takes some fifty, however many rows those are", async () => {
    const board = await newBoard();
    const source = exportOf(
      ...each((number) => taskLine(number, number > 1 ? { parentTaskId: "task-1" } : {})),
      ...each((number) => edgeLine(`task-${number}`, `task-${(number % TASKS) + 1}`)).slice(0, -1),
      ...each((number) => commentLine(number, `task-${number}`)),
      ...each((number) => runLine(`task-${number}`, 1, { costUsd: 0.001 })),
    );
    await inside(board, (visit) => {
      const run = () => importBoard(visit.context(NOW), { source, reset: false, dryRun: false });
      expect(statements(visit, run)).toBeLessThan(60);
      expect(statements(visit, run)).toBeLessThan(30);
    });
    await holds(board);
    const { counts } = ok(await call(board.lead, "GET", board.path));
    expect(counts.todo).toBe(TASKS);
  });
});

describe("a history too large for one event", () => {
  it("is told piece by piece after its task, whose changeSeq is the last of them", async () => {
    const board = await newBoard();
    const { seq } = ok(await call(board.lead, "GET", board.path));
    const long = Array.from({ length: 15 }, (_, i) =>
      commentLine(i + 1, "task-1", { body: `${i}${"b".repeat(19_000)}` }),
    );
    await importing(
      board,
      exportOf(taskLine(1), ...long, runLine("task-1", 1), workspaceLine("task-1"), taskLine(2)),
    );
    const told = await events(board, `&after=${seq}`);
    expect(told.map(({ kind, taskId }) => `${kind} ${taskId}`)).toEqual([
      "task_created task-1",
      "task_created task-2",
      ...long.map(() => "comment_added task-1"),
      "task_edited task-1",
      "workspace_changed task-1",
    ]);
    expect(told[0].data).toMatchObject({ comments: [], executions: [], workspaces: [] });
    expect(told.slice(2, 17).map(({ data }) => data.comment.id)).toEqual(long.map(({ id }) => id));
    expect((await board.get("task-1")).changeSeq).toBe(told.at(-1).seq);
    await holds(board);
  });

  it("is told so for other tools' tasks too, new or known", async () => {
    const board = await newBoard();
    const issue = (day: number, texts: number) =>
      JSON.stringify({
        id: "bd-1",
        title: "much was said",
        status: "open",
        created_at: "2026-01-01T00:00:00Z",
        updated_at: `2026-01-0${day}T00:00:00Z`,
        comments: Array.from({ length: texts }, (_, i) => ({
          author: "ada",
          text: `${i} ${"b".repeat(19_990)}`,
          created_at: "2026-01-01T00:00:00Z",
        })),
      });
    for (const [day, texts, added] of [
      [1, 120, 120],
      [2, 240, 120],
    ] as const) {
      const { seq } = ok(await call(board.lead, "GET", board.path));
      expect(await importing(board, issue(day, texts), "format=beads")).toMatchObject({ comments: added });
      const kinds = Map.groupBy(await events(board, `&after=${seq}`), ({ kind }) => kind);
      expect(kinds.get("comment_added")).toHaveLength(added);
      expect(kinds.get(day === 1 ? "task_created" : "task_edited")?.[0]?.data.comments).toEqual([]);
    }
    await holds(board);
  });
});

/** Comments of 20,000 characters, straight into the table: 20 MB for each thousand. */
async function talkative(thousands: number): Promise<TestBoard> {
  const board = await newBoard();
  await importing(board, exportOf(taskLine(1), commentLine(1, "task-1", { body: "x".repeat(20_000) })));
  await inside(board, ({ sql }) =>
    sql.run(
      `insert into task_comments (number, task_id, author_id, body, created_at)
       with recursive n(i) as (select 2 union all select i + 1 from n where i < ?)
       select i, 'task-1', 'ada', (select body from task_comments where number = 1), ${AT} from n`,
      thousands * 1_000,
    ),
  );
  return board;
}

describe("an export", () => {
  it("of less than 32 MB is one consistent read, whatever happens while it is fetched", async () => {
    const board = await talkative(1);
    const response = await openExport(board);
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/task-1`, { title: "Changed meanwhile" }));
    const text = new TextDecoder().decode(await response.arrayBuffer());
    expect(text).toContain("Title of 1");
    expect(text).not.toContain("Changed meanwhile");
    expect(text.trimEnd().split("\n").at(-1)).toContain('"comments":1000');
  });

  it("of more is refused while the board is at work, and comes whole when it is paused", async () => {
    const board = await talkative(2);
    expect(refused(await call(board.lead, "GET", `${board.path}/export`), 409, "board_busy").hint).toContain(
      "Pause",
    );
    ok(await call(board.lead, "PATCH", board.path, { paused: true }));
    const lines = (await exported(board)).trimEnd().split("\n");
    expect(lines).toHaveLength(2_003);
    expect(lines.at(-1)).toContain('"comments":2000');
    expect(new Set(lines.slice(2, -1).map((line) => JSON.parse(line).id)).size).toBe(2_000);
  });

  it("of more breaks off when a paused board changes all the same: what was fetched has no end", async () => {
    const board = await talkative(3);
    ok(await call(board.lead, "PATCH", board.path, { paused: true }));
    const response = await openExport(board);
    expect(response.status).toBe(200);
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    await reader.read();
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/task-1`, { title: "Changed meanwhile" }));
    await expect(
      (async () => {
        while (!(await reader.read()).done);
      })(),
    ).rejects.toThrow();
    expect((await board.get("task-1")).title).toBe("Changed meanwhile");
  });
});
