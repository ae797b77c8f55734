/** A board without room: nothing new comes in, and everything that stands can be brought to its end. */
import { evictDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, it, onTestFinished } from "vitest";
import { call, events, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { begin } from "../support/import-parts.ts";
import { inside } from "../support/inside.ts";

const CHECK = { command: "npm test", exitCode: 0, passed: true, durationMs: 5 };
const PASS = {
  status: "pass",
  attempts: [{ attempt: 1, at: 1, deterministic: CHECK, critic: { ran: false }, status: "pass" }],
  updatedAt: 1,
};
const ISSUE = JSON.stringify({
  id: "b-1",
  title: "New",
  status: "open",
  created_at: "2026-01-01T00:00:00Z",
  updated_at: "2026-01-01T00:00:00Z",
});

/** From now on the board has no room for anything new; what it has grown to is told. */
async function fill(board: TestBoard): Promise<number> {
  const size = await inside(board, ({ storage }) => storage.sql.databaseSize);
  await room(board, size);
  return size;
}

async function room(board: TestBoard, bytes: number | null): Promise<void> {
  const settings = env as { EDGEBOARD_BOARD_MAX_BYTES?: string };
  if (bytes === null) delete settings.EDGEBOARD_BOARD_MAX_BYTES;
  else settings.EDGEBOARD_BOARD_MAX_BYTES = String(bytes);
  onTestFinished(() => {
    delete settings.EDGEBOARD_BOARD_MAX_BYTES;
  });
  await evictDurableObject(board.stub());
}

it("refuses everything that brings something new, and changes nothing by it", async () => {
  const board = await newBoard();
  const task = await board.add({ title: "Stands" });
  const begun = await begin(board);
  const bytes = await fill(board);
  const before = await events(board);
  const growing = [
    ["POST", "/tasks", { title: "New" }],
    ["POST", "/plans", { tasks: [{ ref: "a", title: "New" }] }],
    ["POST", `/tasks/${task.id}/comments`, { body: "New" }],
    ["POST", "/webhooks", { url: "https://example.com/hook" }],
    ["POST", "/imports", { format: "beads" }],
    ["POST", "/import?format=beads", ISSUE],
    ["PUT", `/imports/${begun}/parts/1`, "{}"],
    ["POST", `/imports/${begun}/commit`, {}],
  ] as const;
  for (const [method, path, body] of growing) {
    const headers = typeof body === "string" ? { "content-type": "text/plain" } : {};
    const problem = refused(
      await call(board.lead, method, board.path + path, body, headers as Record<string, string>),
      507,
      "board_full",
    );
    expect(problem).toMatchObject({ outcome: "nothing_changed", bytes, limit: bytes, retryable: false });
  }
  expect(await events(board)).toEqual(before);
});

it("lets work be claimed, beaten, judged, finished, moved, dropped and read", async () => {
  const board = await newBoard();
  const [first, second, third] = [
    await board.add({ title: "First" }),
    await board.add({ title: "Second" }),
    await board.add({ title: "Third" }),
  ] as const;
  const worker = await board.mint("worker");
  await fill(board);
  const { lease } = await board.claim(first.id, worker);
  const path = `${board.path}/tasks/${first.id}`;
  ok(await call(worker, "POST", `${path}/heartbeat`, { leaseToken: lease.token }));
  const word = { leaseToken: lease.token, outcome: "succeeded", status: "in_review", summary: "Done." };
  ok(await call(worker, "POST", `${path}/complete`, word));
  ok(await call(board.lead, "PUT", `${path}/verification`, { epoch: lease.epoch, result: PASS }));
  ok(await call(board.lead, "PATCH", path, { status: "done" }));
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/${second.id}`, { priority: 9 }));
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${third.id}`));
  ok(await call(board.lead, "GET", `${board.path}/snapshot`));
  expect((await board.get(first.id)).status).toBe("done");
});

it("answers a repeat of what was made before the board was full", async () => {
  const board = await newBoard();
  const make = () =>
    call(board.lead, "POST", `${board.path}/tasks`, { title: "Once" }, { "idempotency-key": "once" });
  const made = ok(await make(), 201);
  await fill(board);
  const again = await make();
  expect(ok(again, 201)).toEqual(made);
  expect(again.headers.get("idempotency-replayed")).toBe("true");
});

it("takes new tasks again when room is made", async () => {
  const board = await newBoard();
  await fill(board);
  refused(await call(board.lead, "POST", `${board.path}/tasks`, { title: "New" }), 507, "board_full");
  await room(board, null);
  await board.add({ title: "New" });
});
