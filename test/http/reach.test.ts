/** Which objects a request reaches: never one for nothing, and never the directory for a task. */
import { listDurableObjectIds } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, expect, it, vi } from "vitest";
import { Directory } from "../../src/directory/directory.ts";
import { call, newBoard, OPERATOR, ok, refused, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { ALL, forge, pathOf } from "./support.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

async function isAwake(boardId: string): Promise<boolean> {
  const wanted = env.BOARDS.idFromName(boardId);
  return (await listDurableObjectIds(env.BOARDS)).some((id) => id.equals(wanted));
}

function spyOnDirectory() {
  const names = Object.getOwnPropertyNames(Directory.prototype).filter((name) => name !== "constructor");
  expect(names).toContain("reserve");
  return names.map((name) => vi.spyOn(Directory.prototype, name as "list"));
}

it("neither a bad token nor one of another board wakes the board it is sent to", async () => {
  const board = await newBoard();
  const asleep = `asleep-${crypto.randomUUID()}`;
  const tokens = [
    null,
    "garbage",
    board.lead,
    await forge(board.lead, { board: asleep }, { key: "another-signing-key-0123456789abcdef" }),
    await forge(board.lead, { board: asleep, exp: 1 }),
  ];
  for (const route of ALL.filter(({ path }) => path.includes(":board")))
    for (const token of tokens) {
      const path = pathOf(route, { board: asleep });
      const reply = await call(token, route.method, path, route.body === undefined ? undefined : {});
      expect([401, 404]).toContain(reply.status);
    }
  expect(await isAwake(asleep)).toBe(false);
  // The operator's token is good for any board, so this one does reach the object.
  refused(await call(OPERATOR, "GET", `/boards/${asleep}`), 404, "board_not_found");
  expect(await isAwake(asleep)).toBe(true);
});

it("a role too small and input that is not valid do not wake a board either", async () => {
  const board = await newBoard();
  const asleep = `asleep-${crypto.randomUUID()}`;
  const viewer = await forge(board.lead, { board: asleep, role: "viewer" });
  refused(await call(viewer, "POST", `/boards/${asleep}/tasks`, { title: "x" }), 403, "forbidden");
  refused(await call(OPERATOR, "POST", `/boards/${asleep}/tasks`, { titel: "x" }), 400, "invalid_request");
  refused(await call(OPERATOR, "GET", `/boards/${asleep}/tasks?limit=0`), 400, "invalid_request");
  expect(await isAwake(asleep)).toBe(false);
});

it("an id no board can have is answered without an object", async () => {
  for (const id of ["Upper", "-dash", "under_score", "a".repeat(64), "%20", "a.b", "ä"]) {
    refused(await call(OPERATOR, "GET", `/boards/${encodeURIComponent(id)}`), 404, "board_not_found");
    expect(await isAwake(id)).toBe(false);
  }
  refused(await call(OPERATOR, "GET", `/boards/${"a".repeat(63)}`), 404, "board_not_found");
});

it("a mistyped board id leaves no table behind, whatever is asked of it", async () => {
  const id = `mistyped-${crypto.randomUUID()}`;
  for (const route of ALL.filter(({ path }) => path.includes(":board"))) {
    const path = pathOf(route, { board: id });
    const query = route.id === "deleteBoard" ? `?confirm=${id}` : "";
    const reply = await call(OPERATOR, route.method, path + query, route.body === undefined ? undefined : {});
    // The archives of a board outlive it, so none are listed without asking whether there is one.
    const found = route.id === "listArchives" && reply.json.archives.length === 0;
    expect([route.id, found || (reply.status < 500 && reply.status >= 400)]).toEqual([route.id, true]);
  }
  refused(await call(OPERATOR, "POST", `/boards/${id}/tasks`, { title: "lost" }), 404, "board_not_found");
  refused(await call(OPERATOR, "PATCH", `/boards/${id}`, { name: "lost" }), 404, "board_not_found");
  const lost = { id, path: `/boards/${id}`, stub: () => env.BOARDS.getByName(id) } as TestBoard;
  const left = await inside(lost, async ({ sql, storage }) => ({
    tables: sql.all("select name from sqlite_master where name not like '\\_cf\\_%' escape '\\'"),
    alarm: await storage.getAlarm(),
  }));
  expect(left).toEqual({ tables: [], alarm: null });
  const listed = ok(await call(OPERATOR, "GET", "/boards?limit=200")).boards;
  expect(listed.map((board: { id: string }) => board.id)).not.toContain(id);
});

it("a deleted board leaves no table behind", async () => {
  const board = await newBoard();
  await board.add({ title: "one" });
  const tables = () =>
    inside(
      board,
      ({ sql }) =>
        sql.all("select name from sqlite_master where name not like '\\_cf\\_%' escape '\\'").length,
    );
  expect(await tables()).toBeGreaterThan(5);
  expect((await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`)).status).toBe(204);
  expect(await tables()).toBe(0);
  refused(await call(OPERATOR, "GET", board.path), 404, "board_not_found");
  expect(await tables()).toBe(0);
});

it("no task request touches the directory", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const [one, two] = [await board.add({ title: "one" }), await board.add({ title: "two" })];
  const spies = spyOnDirectory();
  const touched = () => spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
  for (const route of ALL.filter(({ path }) => path.includes(":board") && !path.endsWith(":board"))) {
    const path = pathOf(route, { board: board.id, id: one.id, dependsOnTaskId: two.id });
    await call(board.lead, route.method, path, route.body === undefined ? undefined : {});
  }
  await board.add({ title: "three" }, worker);
  ok(await call(worker, "POST", `${board.path}/claims`, {}));
  ok(await call(worker, "GET", "/me"));
  ok(await call(worker, "GET", board.path));
  ok(await call(board.lead, "PATCH", board.path, { paused: true }));
  expect(touched()).toBe(0);
  ok(await call(board.lead, "PATCH", board.path, { name: "Renamed" }));
  expect(touched()).toBe(1);
  ok(await call(OPERATOR, "GET", "/boards"));
  expect(touched()).toBeGreaterThan(1);
});
