/** Boards as their operator sees them: made, listed, renamed, archived, deleted. */
import { describe, expect, it } from "vitest";
import { call, newBoard, OPERATOR, ok, refused } from "../support/api.ts";
import { create, entryOf, freshId, listed } from "./listing.ts";

describe("a new board", () => {
  it("is made with its settings and a lead token, and is listed", async () => {
    const id = freshId();
    const { board, token } = ok(await create({ id, name: "First", settings: { maxAttempts: 5 } }), 201);
    expect(board).toMatchObject({ id, name: "First", paused: false, archived: false });
    expect(board.settings.maxAttempts).toBe(5);
    expect(ok(await call(token, "GET", "/me"))).toMatchObject({ role: "lead", board: id });
    expect(await entryOf(id)).toEqual({ id, name: "First", archived: false, createdAt: expect.any(Number) });
  });

  it("without an id gets a readable one that nobody has", async () => {
    const ids = new Set<string>();
    for (const name of ["Sprint 12: API!", "Sprint 12: API!", "…", "x".repeat(200)]) {
      const { board } = ok(await create({ name }), 201);
      expect(board.id).toMatch(/^[a-z0-9][a-z0-9-]{0,62}$/);
      expect(board.name).toBe(name);
      ids.add(board.id);
    }
    expect(ids.size).toBe(4);
    expect([...ids][0]).toMatch(/^sprint-12-api-/);
  });

  it("of a taken id is refused and leaves the first as it was", async () => {
    const board = await newBoard();
    const before = ok(await call(board.lead, "GET", board.path));
    refused(await create({ id: board.id, name: "Second" }), 409, "board_exists");
    expect(ok(await call(board.lead, "GET", board.path))).toEqual(before);
    expect((await entryOf(board.id))?.name).toBe("Test");
  });

  it("asked for ten times at once is made once", async () => {
    const id = freshId();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, i) => create({ id, name: `Racer ${i}` })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
    const made = replies.find(({ status }) => status === 201)?.json;
    expect((await entryOf(id))?.name).toBe(made.board.name);
  });

  it("with settings that do not go together is refused, and its id stays free", async () => {
    const id = freshId();
    refused(await create({ id, name: "Bad", settings: { beatEveryMs: 170_000 } }), 422, "invalid_settings");
    expect(await entryOf(id)).toBeUndefined();
    refused(await call(OPERATOR, "GET", `/boards/${id}`), 404, "board_not_found");
    ok(await create({ id, name: "Good" }), 201);
  });

  it("is the operator's to make, to list and to delete", async () => {
    const board = await newBoard();
    for (const [method, path, body] of [
      ["POST", "/boards", { name: "x" }],
      ["GET", "/boards", undefined],
      ["DELETE", `${board.path}?confirm=${board.id}`, undefined],
    ] as const) {
      refused(await call(board.lead, method, path, body), 403, "forbidden");
      refused(await call(null, method, path, body), 401, "unauthenticated");
    }
    expect(await entryOf(board.id)).toBeDefined();
  });
});

describe("the list", () => {
  it("goes by id and comes in pages, each board once", async () => {
    const ids = [];
    for (let i = 0; i < 5; i++) ids.push((await newBoard()).id);
    const whole = (await listed()).map(({ id }) => id);
    expect(whole).toEqual([...whole].sort());
    expect(whole).toEqual(expect.arrayContaining(ids));
    for (const limit of [1, 2, 3]) expect((await listed(limit)).map(({ id }) => id)).toEqual(whole);
  });

  it("shows a board's new name", async () => {
    const board = await newBoard();
    const changed = ok(await call(board.lead, "PATCH", board.path, { name: "Renamed" }));
    expect(changed.board.name).toBe("Renamed");
    expect((await entryOf(board.id))?.name).toBe("Renamed");
  });

  it("shows which boards are archived; an archived board is read, not changed, until it is taken back", async () => {
    const board = await newBoard();
    const task = await board.add({ title: "kept" });
    ok(await call(board.lead, "PATCH", board.path, { archived: true }));
    expect(await entryOf(board.id)).toMatchObject({ name: "Test", archived: true });
    expect(await board.get(task.id)).toEqual(task);
    refused(await call(board.lead, "POST", `${board.path}/tasks`, { title: "late" }), 409, "board_archived");
    ok(await call(board.lead, "PATCH", board.path, { archived: false }));
    expect(await entryOf(board.id)).toMatchObject({ archived: false });
    await board.add({ title: "welcome" });
  });
});

it("archiving a board and taking it back leaves its work as it was, what is held included", async () => {
  const board = await newBoard();
  const worker = await board.mint("ada");
  const held = await board.add({ title: "held", priority: 9 });
  await board.add({ title: "backlog", status: "backlog" });
  await board.add({ title: "waits", dependsOn: [held.id] });
  const { lease } = await board.claim(held.id, worker);
  const tasks = async () => ok(await call(board.lead, "GET", `${board.path}/tasks`)).tasks;
  const before = await tasks();
  for (const archived of [true, false]) {
    ok(await call(board.lead, "PATCH", board.path, { archived }));
    expect(await tasks()).toEqual(before);
  }
  ok(await call(worker, "POST", `${board.path}/tasks/${held.id}/heartbeat`, { leaseToken: lease.token }));
});

describe("a deleted board", () => {
  it("is gone from the list and for its callers", async () => {
    const board = await newBoard();
    const worker = await board.mint("ada");
    ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
    expect(await entryOf(board.id)).toBeUndefined();
    for (const token of [OPERATOR, board.lead, worker])
      refused(await call(token, "GET", board.path), 404, "board_not_found");
    refused(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 404, "board_not_found");
  });

  it("has to be named twice", async () => {
    const board = await newBoard();
    for (const query of ["", "?confirm=", "?confirm=other"])
      refused(await call(OPERATOR, "DELETE", board.path + query), 400, "invalid_request");
    expect(await entryOf(board.id)).toBeDefined();
  });

  it("lets whoever waits for its events go, long before their time is up", async () => {
    const board = await newBoard();
    const { seq } = ok(await call(board.lead, "GET", board.path));
    const waiting = call(board.lead, "GET", `${board.path}/events?after=${seq}&waitMs=25000`);
    ok(await call(board.lead, "GET", board.path));
    ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
    refused(await waiting, 404, "board_not_found");
  }, 10_000);
});
