/** An import is refused whole: a fault anywhere, and nothing of it is stored. */
import { describe, expect, it } from "vitest";
import { call, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { blocks, childOf, contents, day, importing, issue, send } from "./beads.ts";

describe("an import is refused whole", () => {
  /** Refused, and not a row of the board has moved. */
  async function nothingStored(board: TestBoard, issues: object[], status: number, code: string) {
    const before = await contents(board);
    const problem = refused(await send(board, issues), status, code);
    expect(await contents(board)).toEqual(before);
    return problem;
  }

  it("when it names tasks that are nowhere, each of them told", async () => {
    const board = await newBoard();
    await importing(board, [issue("known")]);
    const problem = await nothingStored(
      board,
      [
        issue("a", { dependencies: blocks("nowhere", "known", "b") }),
        issue("b", { dependencies: [childOf("lost"), ...blocks("nowhere")] }),
        issue("known", { title: "New", updated_at: day(1) }),
      ],
      422,
      "import_invalid",
    );
    expect(problem.issues).toEqual([
      { path: "a.dependencies", message: expect.stringContaining("nowhere") },
      { path: "b.dependencies", message: expect.stringContaining("nowhere") },
      { path: "b.parent", message: expect.stringContaining("lost") },
    ]);
  });

  it("when it names a task that was dropped", async () => {
    const board = await newBoard();
    await importing(board, [issue("a")]);
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/n1`));
    await nothingStored(board, [issue("b", { dependencies: blocks("a") })], 422, "import_invalid");
  });

  it("when a line of it has a fault, each of them told with its line", async () => {
    const board = await newBoard();
    const problem = await nothingStored(
      board,
      [issue("a"), issue("b", { title: "" }), issue("c", { status: "finished" }), issue("a")],
      422,
      "import_invalid",
    );
    expect(problem.issues.map(({ path }: { path: string }) => path).sort()).toEqual([
      "a",
      "c.status",
      "line 2.title",
    ]);
  });

  it.each(["constructor", "toString"])(
    "when a status is %s, which is no status though objects have one",
    async (status) => {
      await nothingStored(await newBoard(), [issue("a", { status })], 422, "import_invalid");
    },
  );

  it("when its tasks wait for each other, with the way round", async () => {
    const board = await newBoard();
    const problem = await nothingStored(
      board,
      [
        issue("a", { dependencies: blocks("b") }),
        issue("b", { dependencies: blocks("c") }),
        issue("c", { dependencies: blocks("a") }),
        issue("fine"),
      ],
      409,
      "task_dependency_cycle",
    );
    expect(problem.path).toHaveLength(4);
    expect([...new Set(problem.path)].sort()).toEqual(["a", "b", "c"]);
    await nothingStored(
      board,
      [issue("self", { dependencies: blocks("self") })],
      409,
      "task_dependency_cycle",
    );
  });

  it("when it closes a ring with edges that stand on the board", async () => {
    const board = await newBoard();
    await importing(board, [
      issue("a", { dependencies: blocks("b") }),
      issue("b", { dependencies: blocks("c") }),
      issue("c"),
    ]);
    const ring = [issue("c", { dependencies: blocks("a"), updated_at: day(1) })];
    await nothingStored(board, ring, 409, "task_dependency_cycle");
  });

  it("when tasks would lie under each other", async () => {
    const board = await newBoard();
    await nothingStored(
      board,
      [issue("a", { dependencies: [childOf("b")] }), issue("b", { dependencies: [childOf("a")] })],
      409,
      "parent_cycle",
    );
    await nothingStored(board, [issue("self", { dependencies: [childOf("self")] })], 409, "parent_cycle");
  });

  it("when a task would lie under its own descendant that stands on the board", async () => {
    const board = await newBoard();
    await importing(board, [
      issue("root"),
      issue("middle", { dependencies: [childOf("root")] }),
      issue("leaf", { dependencies: [childOf("middle")] }),
    ]);
    const ring = [issue("root", { dependencies: [childOf("leaf")], updated_at: day(1) })];
    await nothingStored(board, ring, 409, "parent_cycle");
  });

  it("when more tasks would wait for one than may", async () => {
    const board = await newBoard();
    await importing(board, [issue("a")]);
    await inside(board, ({ sql, storage }) =>
      storage.transactionSync(() => {
        sql.run(
          `with recursive n(i) as (select 2 union all select i + 1 from n where i < 10001)
         insert into tasks (number, id, title, status, ready_since, change_seq, created_at, updated_at)
         select i, 'waits-' || i, 'waits', 'backlog', 0, 0, 0, 0 from n`,
        );
        sql.run("update task_counts set backlog = 10000");
        sql.run(
          `insert into task_deps (task_id, depends_on_task_id, created_at)
         select id, (select id from tasks where number = 1), 0 from tasks where number > 1`,
        );
      }),
    );
    refused(await send(board, [issue("b", { dependencies: blocks("a") })]), 422, "dependent_cap");
    expect(await inside(board, ({ sql }) => sql.number("select count(*) from tasks"))).toBe(10_001);
  });

  it("by a board that is archived, and for anyone but a lead", async () => {
    const board = await newBoard();
    for (const role of ["worker", "verifier", "viewer"]) {
      const token = await board.mint("ada", role);
      const path = `${board.path}/import?format=beads`;
      const headers = { "content-type": "application/x-ndjson" };
      refused(await call(token, "POST", path, JSON.stringify(issue("a")), headers), 403, "forbidden");
    }
    ok(await call(board.lead, "PATCH", board.path, { archived: true }));
    await nothingStored(board, [issue("a")], 409, "board_archived");
  });

  it("in a format nobody knows, or of a type that is no text", async () => {
    const board = await newBoard();
    const post = (query: string, type: string) =>
      call(board.lead, "POST", `${board.path}/import${query}`, JSON.stringify(issue("a")), {
        "content-type": type,
      });
    refused(await post("?format=jira", "application/x-ndjson"), 400, "invalid_request");
    refused(await post("", "application/x-ndjson"), 400, "invalid_request");
    refused(await post("?format=beads&force=true", "application/x-ndjson"), 400, "invalid_request");
    refused(await post("?format=beads", "image/png"), 415, "unsupported_media_type");
  });
});
