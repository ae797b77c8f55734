/** What becomes of an import in parts: committed, refused, deleted or forgotten. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { call, newBoard, OPERATOR, ok, refused } from "../support/api.ts";
import { boardLine, commentLine, edgeLine, endLine, exportOf, taskLine } from "../support/export-lines.ts";
import { tablesOf, textOf } from "../support/exports.ts";
import { begin, commit, pieces, put, sendAll } from "../support/import-parts.ts";
import { inside } from "../support/inside.ts";

const DAY = 86_400_000;

describe("a commit", () => {
  it("can be tried first, as often as wanted, and then still be made", async () => {
    const board = await newBoard();
    const id = await begin(board);
    await sendAll(board, id, pieces(exportOf(taskLine(1), commentLine(1, "task-1")), 300));
    const before = await tablesOf(board);
    const planned = ok(await commit(board, id, { dryRun: true }));
    expect(await tablesOf(board)).toEqual(before);
    expect(ok(await commit(board, id, { dryRun: false }))).toEqual(planned);
  });

  it("that is sent again answers the same report, and the parts are gone", async () => {
    const board = await newBoard();
    const id = await begin(board);
    ok(await put(board, id, 1, exportOf(taskLine(1))));
    const report = ok(await commit(board, id));
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/task-1`, { title: "Changed since" }));
    for (const body of [{}, { dryRun: true }]) expect(ok(await commit(board, id, body))).toEqual(report);
    expect((await board.get("task-1")).title).toBe("Changed since");
    expect(await inside(board, ({ sql }) => sql.number("select count(*) from import_chunks"))).toBe(0);
    refused(await put(board, id, 2, "more"), 409, "already_closed");
  });

  it("names the parts that have not arrived, and stores nothing", async () => {
    const board = await newBoard();
    const id = await begin(board);
    const none = refused(await commit(board, id), 422, "import_invalid");
    expect(none.issues).toEqual([{ path: "parts.1", message: expect.any(String) }]);
    ok(await put(board, id, 2, "b"));
    ok(await put(board, id, 5, "e"));
    const { issues } = refused(await commit(board, id), 422, "import_invalid");
    expect(issues.map(({ path }: { path: string }) => path)).toEqual(["parts.1", "parts.3", "parts.4"]);
  });

  it("that is refused leaves the parts, so that one can be sent anew", async () => {
    const board = await newBoard();
    const id = await begin(board);
    ok(await put(board, id, 1, exportOf(taskLine(1), edgeLine("task-1", "gone"))));
    const before = await tablesOf(board);
    const { issues } = refused(await commit(board, id), 422, "import_invalid");
    expect(issues).toEqual([{ path: "task-1.dependencies", message: "unknown task gone" }]);
    expect(await tablesOf(board)).toEqual(before);
    ok(await put(board, id, 1, exportOf(taskLine(1))));
    expect(ok(await commit(board, id))).toMatchObject({ created: 1 });
  });

  it("into an empty board takes the name over, which the list of boards is told", async () => {
    const board = await newBoard();
    const id = await begin(board);
    ok(await put(board, id, 1, textOf([boardLine({ name: "Restored" }), taskLine(1), endLine])));
    ok(await commit(board, id, { dryRun: true }));
    const listed = async () =>
      ok(await call(OPERATOR, "GET", `/boards?limit=1&cursor=${board.id.slice(0, -1)}`)).boards;
    expect(await listed()).toMatchObject([{ id: board.id, name: "Test" }]);
    ok(await commit(board, id));
    expect(await listed()).toMatchObject([{ id: board.id, name: "Restored" }]);
  });
});

describe("an import that is not committed", () => {
  it("can be deleted, and is then gone", async () => {
    const board = await newBoard();
    const id = await begin(board);
    ok(await put(board, id, 1, "x"));
    const gone = await call(board.lead, "DELETE", `${board.path}/imports/${id}`);
    expect(gone.status).toBe(204);
    refused(await call(board.lead, "DELETE", `${board.path}/imports/${id}`), 404, "import_not_found");
    refused(await put(board, id, 1, "x"), 404, "import_not_found");
    refused(await commit(board, id), 404, "import_not_found");
    expect(await inside(board, ({ sql }) => sql.number("select count(*) from import_chunks"))).toBe(0);
  });

  it("is forgotten after a day, by whoever asks first and then by the alarm", async () => {
    const board = await newBoard();
    const [old, young] = [await begin(board), await begin(board)];
    ok(await put(board, old, 1, "x"));
    ok(await put(board, young, 1, "x"));
    await inside(board, async ({ sql, storage }) => {
      const due = Number(await storage.getAlarm());
      expect(Math.abs(due - Date.now() - DAY)).toBeLessThan(60_000);
      sql.run("update imports set created_at = created_at - ? where id = ?", DAY, old);
    });
    refused(await commit(board, old), 404, "import_not_found");
    await runDurableObjectAlarm(board.stub());
    await inside(board, async ({ sql, storage }) => {
      expect(sql.all("select id from imports")).toEqual([{ id: young }]);
      expect(sql.all("select import_id from import_chunks")).toEqual([{ import_id: young }]);
      expect(Math.abs(Number(await storage.getAlarm()) - Date.now() - DAY)).toBeLessThan(60_000);
    });
  });

  it("holds a bounded number of others up, until one is deleted", async () => {
    const board = await newBoard();
    const ids: string[] = [];
    for (let n = 0; n < 16; n++) ids.push(await begin(board));
    const full = () => call(board.lead, "POST", `${board.path}/imports`, { format: "beads" });
    refused(await full(), 409, "board_busy");
    await call(board.lead, "DELETE", `${board.path}/imports/${ids[0]}`);
    ok(await full(), 201);
  });
});

describe("what is refused", () => {
  it("is a part of no number, of no text, too large, or of an import of another board", async () => {
    const board = await newBoard();
    const id = await begin(board);
    for (const n of ["0", "-1", "1.5", "01", "1001", "x"])
      refused(await put(board, id, n, "x"), 400, "invalid_request");
    refused(await put(board, id, 1, "x", "image/png"), 415, "unsupported_media_type");
    refused(await put(board, id, 1, "a\0b"), 400, "invalid_request");
    refused(await put(board, id, 1, "x".repeat(8_388_609)), 413, "body_too_large");
    const other = await newBoard();
    refused(await put(other, id, 1, "x"), 404, "import_not_found");
  });

  it("are parts that together are more than any import may have; the last one is not kept", async () => {
    const board = await newBoard();
    const id = await begin(board, { format: "taskmaster" });
    const part = "x".repeat(8_000_000);
    ok(await put(board, id, 1, part));
    ok(await put(board, id, 2, part));
    expect(refused(await put(board, id, 3, part), 413, "body_too_large")).toMatchObject({
      limit: 16_777_216,
    });
    expect(ok(await put(board, id, 3, "x")).totalBytes).toBe(16_000_001);
  });

  it("is everybody but a lead, and an archived board", async () => {
    const board = await newBoard();
    const id = await begin(board);
    const paths = [
      ["POST", "/imports", { format: "beads" }],
      ["PUT", `/imports/${id}/parts/1`, "x"],
      ["POST", `/imports/${id}/commit`, {}],
      ["DELETE", `/imports/${id}`, undefined],
    ] as const;
    const verifier = await board.mint("ada", "verifier");
    for (const [method, path, body] of paths)
      refused(await call(verifier, method, board.path + path, body), 403, "forbidden");
    ok(await call(board.lead, "PATCH", board.path, { archived: true }));
    for (const [method, path, body] of paths.slice(0, 3))
      refused(
        await call(
          board.lead,
          method,
          board.path + path,
          body,
          method === "PUT" ? { "content-type": "text/plain" } : {},
        ),
        409,
        "board_archived",
      );
  });

  it("is an import of a format nobody knows, or with words nobody asked for", async () => {
    const board = await newBoard();
    for (const body of [{}, { format: "jira" }, { format: "beads", dryRun: true }])
      refused(await call(board.lead, "POST", `${board.path}/imports`, body), 400, "invalid_request");
    const id = await begin(board);
    refused(await commit(board, id, { force: true }), 400, "invalid_request");
  });
});
