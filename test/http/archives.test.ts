/** Boards that are put away, and brought back: through the interface, with a bucket of the local runtime. */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { putAway as putExportAway } from "../../src/archives/put-away.ts";
import { ARCHIVE_PART_BYTES } from "../../src/contract/limits.ts";
import type { Route } from "../../src/contract/route.ts";
import { ROUTES } from "../../src/contract/routes.ts";
import { call, newBoard, OPERATOR, ok, refused, type TestBoard } from "../support/api.ts";
import { bringBack, bucket, keysOf, putAway, spoil, textOf } from "../support/bucket.ts";
import { contentsOf, exported, holds } from "../support/exports.ts";
import { pathOf } from "./support.ts";

afterEach(() => void vi.restoreAllMocks());

const listed = async (board: TestBoard, query = "", token = OPERATOR) =>
  ok(await call(token, "GET", `${board.path}/archives${query}`));

/** A board with something of everything on it. */
async function lived(): Promise<TestBoard> {
  const board = await newBoard({ maxAttempts: 7 });
  const worker = await board.mint("ada");
  const first = await board.add({ title: "first", description: "zwölf Boxkämpfer 🥊" });
  await board.add({ title: "second", dependsOn: [first.id], labels: ["a"] });
  ok(await call(worker, "POST", `${board.path}/tasks/${first.id}/comments`, { body: "said" }), 201);
  const { lease } = await board.claim(first.id, worker);
  const word = { leaseToken: lease.token, outcome: "succeeded", status: "done", summary: "did it" };
  ok(await call(worker, "POST", `${board.path}/tasks/${first.id}/complete`, word));
  return board;
}

async function gone(board: TestBoard): Promise<void> {
  ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
}

describe("a board that is put away", () => {
  it("is an export in the bucket, told with its name, size and place in the log", async () => {
    const board = await lived();
    const { seq } = ok(await call(board.lead, "GET", board.path));
    const archive = await putAway(board);
    const text = await exported(board);
    expect(archive).toEqual({
      id: expect.stringMatching(/^\d{8}T\d{9}Z-\d+$/),
      board: board.id,
      name: "Test",
      seq,
      version: 1,
      bytes: new TextEncoder().encode(text).length,
      createdAt: expect.any(Number),
    });
    expect(await textOf(board, archive.id)).toBe(text);
    const fetched = await call(board.lead, "GET", `${board.path}/archives/${archive.id}`);
    expect([fetched.status, fetched.headers.get("content-type")]).toEqual([200, "application/x-ndjson"]);
    expect(fetched.text).toBe(text);
    expect(await listed(board, "", board.lead)).toEqual({
      archives: [archive],
      hasMore: false,
      nextCursor: null,
    });
  });

  it("is listed with the others of the board and with nobody else's, oldest first, page by page", async () => {
    const board = await newBoard();
    const ids: string[] = [];
    for (let number = 0; number < 5; number++) {
      await board.add({ title: `${number}` });
      ids.push((await putAway(board)).id);
    }
    await putAway(await newBoard());
    const pages = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await listed(board, `?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`);
      pages.push(page.archives.map(({ id }: { id: string }) => id));
      cursor = page.nextCursor;
    }
    expect(pages).toEqual([ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)]);
    refused(await call(board.lead, "GET", `${board.path}/archives?cursor=x`), 400, "invalid_request");
  });

  it("becomes the same board again on a new one, and nothing twice", async () => {
    const board = await lived();
    const { id } = await putAway(board);
    const other = await newBoard();
    const report = ok(await bringBack(board, id, { into: other.id }));
    expect(report).toMatchObject({ created: 2, edges: 1, comments: 1, executions: 1, issues: [] });
    expect(await contentsOf(other)).toEqual(await contentsOf(board));
    await holds(other);
    expect(ok(await bringBack(board, id, { into: other.id }))).toMatchObject({ created: 0, unchanged: 2 });
    expect(ok(await bringBack(board, id))).toMatchObject({ created: 0, unchanged: 2 });
  });

  it("is tried on a board without a trace", async () => {
    const board = await lived();
    const { id } = await putAway(board);
    const other = await newBoard();
    const before = await exported(other);
    expect(ok(await bringBack(board, id, { into: other.id, dryRun: true }))).toMatchObject({ created: 2 });
    expect(await exported(other)).toBe(before);
    // No try is left open: there is room for all imports a board may have under way.
    for (let begun = 0; begun < 16; begun++)
      ok(await call(other.lead, "POST", `${other.path}/imports`, { format: "beads" }), 201);
  });

  it("outlives its board, for the operator alone, and comes back under the old name", async () => {
    const board = await lived();
    const before = await contentsOf(board);
    const { id } = await putAway(board);
    await gone(board);
    expect((await listed(board)).archives).toHaveLength(1);
    expect((await call(OPERATOR, "GET", `${board.path}/archives/${id}`)).status).toBe(200);
    for (const path of ["", `/${id}`])
      refused(await call(board.lead, "GET", `${board.path}/archives${path}`), 404, "board_not_found");
    refused(await bringBack(board, id), 404, "board_not_found");
    const made = ok(await call(OPERATOR, "POST", "/boards", { id: board.id, name: "New" }), 201);
    ok(await bringBack(board, id));
    expect(await contentsOf({ ...board, lead: made.token })).toEqual(before);
    const boards = ok(await call(OPERATOR, "GET", `/boards?limit=1&cursor=${board.id.slice(0, -1)}`)).boards;
    expect(boards[0]).toMatchObject({ id: board.id, name: "Test" });
  });

  it("is deleted by the operator, once", async () => {
    const board = await newBoard();
    const { id } = await putAway(board);
    const path = `${board.path}/archives/${id}`;
    refused(await call(board.lead, "DELETE", path), 403, "forbidden");
    ok(await call(OPERATOR, "DELETE", path), 204);
    refused(await call(OPERATOR, "DELETE", path), 404, "archive_not_found");
    refused(await call(OPERATOR, "GET", path), 404, "archive_not_found");
    refused(await bringBack(board, id), 404, "archive_not_found");
    refused(await call(OPERATOR, "GET", `${board.path}/archives/..%2F${id}`), 404, "archive_not_found");
  });

  it("is shown to no token that was revoked", async () => {
    const board = await newBoard();
    const { id } = await putAway(board);
    const token = await board.mint("second", "lead");
    const { tokens } = ok(await call(board.lead, "GET", `${board.path}/tokens`));
    const second = tokens.find(({ agentId }: { agentId: string }) => agentId === "second");
    ok(await call(board.lead, "DELETE", `${board.path}/tokens/${second.id}`), 204);
    for (const path of ["", `/${id}`])
      refused(await call(token, "GET", `${board.path}/archives${path}`), 401, "token_revoked");
  });
});

describe("a bucket that fails", () => {
  it("leaves nothing when it takes nothing, and is told as what it is", async () => {
    const board = await lived();
    const before = await exported(board);
    vi.spyOn(bucket, "put").mockRejectedValue(new Error("internal error 10001"));
    const problem = refused(
      await call(board.lead, "POST", `${board.path}/archives`),
      503,
      "archive_unavailable",
    );
    expect(JSON.stringify(problem)).not.toContain("10001");
    expect(await keysOf(board)).toEqual([]);
    expect(await exported(board)).toBe(before);
  });

  it("is told by every other route too", async () => {
    const board = await newBoard();
    const { id } = await putAway(board);
    for (const name of ["list", "get", "head"] as const)
      vi.spyOn(bucket, name).mockRejectedValue(new Error("away"));
    const path = `${board.path}/archives`;
    for (const [method, at] of [
      ["GET", path],
      ["GET", `${path}/${id}`],
      ["DELETE", `${path}/${id}`],
    ] as const)
      refused(await call(OPERATOR, method, at), 503, "archive_unavailable");
    refused(await bringBack(board, id), 503, "archive_unavailable");
  });

  it("brings nothing when an archive breaks off while it is read", async () => {
    const board = await lived();
    const { id } = await putAway(board);
    const whole = new TextEncoder().encode(await textOf(board, id));
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(whole.slice(0, 300));
      },
      pull(controller) {
        controller.error(new Error("connection lost"));
      },
    });
    vi.spyOn(bucket, "get").mockResolvedValue({ size: whole.length, body } as unknown as R2ObjectBody);
    const other = await newBoard();
    const before = await exported(other);
    refused(await bringBack(board, id, { into: other.id }), 503, "archive_unavailable");
    expect(await exported(other)).toBe(before);
  });
});

describe("an export that breaks off", () => {
  const header = '{"type":"board","version":1,"id":"b","name":"B","settings":{},"exportedAtSeq":3}\n';
  const end = '{"type":"end","tasks":0,"dependencies":0,"comments":0,"executions":0,"workspaces":0}\n';
  /** These pieces, and then an end or an error. */
  const source = (pieces: string[], error?: Error) =>
    new ReadableStream<Uint8Array>({
      pull(controller) {
        const piece = pieces.shift();
        if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
        else if (error === undefined) controller.close();
        else controller.error(error);
      },
    });
  const changed = new Error("The board changed while it was exported.");
  const long = `${"x".repeat(ARCHIVE_PART_BYTES)}\n`;

  it.each<[string, ReadableStream]>([
    ["at once", source([], changed)],
    ["after its header", source([header], changed)],
    ["without a word, before its end", source([header])],
    ["in its second part", source([header, long], changed)],
    ["in its second part without a word", source([header, long, '{"type":"task"}\n'])],
  ])("%s is told so, and nothing of it is listed", async (where, stream) => {
    const board = `broken-${where.replaceAll(/\W/g, "-")}`;
    expect(await putExportAway(bucket, board, stream, 1)).toMatchObject({ ok: false, reason: "board_busy" });
    expect((await bucket.list({ prefix: `boards/${board}/` })).objects).toEqual([]);
  });

  it("is not one whose end falls between two parts", async () => {
    const text = `${header}${"x".repeat(ARCHIVE_PART_BYTES - header.length - 11)}\n${end}`;
    const stored = await putExportAway(bucket, "between", source([text]), 1);
    expect(stored).toMatchObject({ ok: true, value: { seq: 3, name: "B", bytes: text.length } });
  });
});

describe("an archive that was cut or scratched", () => {
  it.each<[string, (text: string) => string | Uint8Array]>([
    ["in its middle", (text) => text.slice(0, text.length / 2)],
    ["before its end line", (text) => text.trimEnd().split("\n").slice(0, -1).join("\n")],
    ["to nothing", () => ""],
    ["in a byte", (text) => new TextEncoder().encode(text).map((byte) => (byte === 0xc3 ? 0xff : byte))],
  ])("%s is refused whole", async (_where, change) => {
    const board = await lived();
    const { id } = await putAway(board);
    await spoil(board, id, change(await textOf(board, id)));
    const other = await newBoard();
    const before = await exported(other);
    refused(await bringBack(board, id, { into: other.id }), 422, "import_invalid");
    expect(await exported(other)).toBe(before);
  });
});

it("a server without a bucket says so on every route, and asks nothing else", async () => {
  const board = await newBoard();
  const { id } = await putAway(board);
  const routes = Object.values<Route>(ROUTES).filter(({ tag }) => tag === "Archives");
  expect(routes).toHaveLength(5);
  Object.assign(env, { ARCHIVE: undefined });
  try {
    for (const route of routes)
      refused(
        await call(OPERATOR, route.method, pathOf(route, { board: board.id, id }), route.body && {}),
        501,
        "no_archive",
      );
  } finally {
    Object.assign(env, { ARCHIVE: bucket });
  }
  expect((await listed(board)).archives).toHaveLength(1);
});
