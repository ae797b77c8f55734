/** What a reader who asks for cards is told beside the events: all it needs to show the board, without rules. */
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { expectTruth, frames, show } from "../support/cards.ts";
import { backdate } from "../support/inside.ts";
import { type Follower, follow } from "../support/socket.ts";

const seqOf = async (board: TestBoard): Promise<number> => ok(await call(board.lead, "GET", board.path)).seq;

/** Until it has heard all that was. */
async function caughtUp(board: TestBoard, reader: Follower): Promise<void> {
  const end = await seqOf(board);
  await reader.until(() =>
    reader.messages.some((message) => message.type === "events" && message.seq === end),
  );
}

const complete = async (board: TestBoard, worker: string, id: string, leaseToken: string, status = "done") =>
  ok(
    await call(worker, "POST", `${board.path}/tasks/${id}/complete`, {
      leaseToken,
      outcome: "succeeded",
      status,
    }),
  );

describe("a frame with cards", () => {
  it("shows the task as it stands, the counts, and the seq they are true at", async () => {
    const board = await newBoard();
    const reader = await follow(board, "?cards=true");
    const task = await board.add({ title: "a", description: "long" });
    await caughtUp(board, reader);
    const [frame] = frames(reader);
    const columns = ok(await call(board.lead, "GET", `${board.path}/snapshot`)).columns;
    expect(frame?.cards).toEqual(columns.todo.tasks);
    expect(frame?.cards[0]?.id).toBe(task.id);
    expect(frame).toMatchObject({ counts: { todo: 1 }, asOf: frame?.seq });
  });

  it("shows who waits for a task that ended, and who does not any more", async () => {
    const board = await newBoard();
    const worker = await board.mint("ann");
    const [blocker, far] = [await board.add({ title: "blocker" }), await board.add({ title: "other" })];
    const waiting = await board.add({ title: "waiting", dependsOn: [blocker.id] });
    const both = await board.add({ title: "both", dependsOn: [blocker.id, far.id] });
    const { lease } = await board.claim(blocker.id, worker);
    const reader = await follow(board, "?cards=true");
    await complete(board, worker, blocker.id, lease.token);
    await caughtUp(board, reader);
    const told = new Map(
      frames(reader).flatMap(({ cards }) => cards.map((card) => [card.id, card] as const)),
    );
    expect([...told.keys()].sort()).toEqual([blocker.id, waiting.id, both.id].sort());
    expect(told.get(waiting.id)).toMatchObject({ openDependencies: 0, ready: true });
    expect(told.get(both.id)).toMatchObject({ openDependencies: 1, ready: false });
  });

  it("of a comment on a finished task shows that task alone", async () => {
    const board = await newBoard();
    const blocker = await board.add({ title: "blocker" });
    await board.add({ title: "waiting", dependsOn: [blocker.id] });
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${blocker.id}`, { status: "cancelled" }));
    const reader = await follow(board, "?cards=true");
    ok(await call(board.lead, "POST", `${board.path}/tasks/${blocker.id}/comments`, { body: "hm" }), 201);
    await caughtUp(board, reader);
    expect(frames(reader).map(({ cards }) => cards.map(({ id }) => id))).toEqual([[blocker.id]]);
  });

  it("is not what anybody gets who does not ask for it", async () => {
    const board = await newBoard();
    const [plain, no] = [await follow(board), await follow(board, "?cards=false")];
    await board.add({ title: "a" });
    for (const reader of [plain, no]) {
      await reader.until(() => reader.seqs().length === 1);
      expect(Object.keys(reader.messages[1] as object).sort()).toEqual(["events", "seq", "type"]);
    }
  });
});

it("who applies cards and counts ends with what the interface answers, whatever happened on the board", async () => {
  const board = await newBoard({ maxAttempts: 2, backoff: { firstMs: 0, stepMs: 0, maxMs: 0 } });
  const worker = await board.mint("ann");
  const patch = async (id: string, body: object) =>
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, body));
  const early = await follow(board, "?cards=true&after=0");
  const tasks = Array.from({ length: 12 }, (_, n) => ({
    ref: `r${n}`,
    title: `t${n}`,
    ...(n === 0 ? {} : { dependsOn: [`r${n >> 1}`].filter((ref) => ref !== `r${n}`) }),
  }));
  const plan = ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
  const id = (n: number): string => plan.tasks[n].id;
  const first = await board.claim(id(0), worker);
  await complete(board, worker, id(0), first.lease.token);
  const one = await board.claim(id(1), worker);
  ok(await call(board.lead, "POST", `${board.path}/tasks/${id(1)}/comments`, { body: "hm" }), 201);
  await backdate(board, id(1), 180_000);
  await runDurableObjectAlarm(board.stub());
  expect(one.lease.epoch).toBe(1);
  const again = await board.claim(id(1), worker);
  await evictDurableObject(board.stub(), { webSockets: "hibernate" });
  await complete(board, worker, id(1), again.lease.token, "in_review");
  await patch(id(1), { status: "done" });
  await patch(id(2), { title: "another", priority: 7 });
  await board.claim(id(3), worker);
  // Taken out of a holder's hands and ended, which the log tells as one change.
  await patch(id(3), { status: "cancelled" });
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${id(4)}`));
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${id(5)}`));
  ok(await call(board.lead, "POST", `${board.path}/tasks/${id(5)}/restore`, {}));
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${id(9)}/dependencies/${id(4)}`));
  const two = await board.claim(id(2), worker);
  // Nothing else is ever said of the one that waits for it.
  await complete(board, worker, id(2), two.lease.token);
  expect(await board.get(id(5))).toMatchObject({ openDependencies: 0, ready: true });
  const late = await follow(board, "?cards=true&after=0");
  for (const reader of [early, late]) {
    await caughtUp(board, reader);
    await expectTruth(board, show(reader.messages));
  }
  expect(frames(late).length).toBeLessThan(frames(early).length);
});

describe("more than a frame may hold", () => {
  /** One that so many wait for, who are this heavy. */
  async function crowd(board: TestBoard, count: number, title: string): Promise<string> {
    const blocker = await board.add({ title: "blocker" });
    for (let made = 0; made < count; made += 250) {
      const tasks = Array.from({ length: Math.min(250, count - made) }, (_, n) => ({
        ref: `r${n}`,
        title,
        dependsOn: [blocker.id],
      }));
      ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
    }
    return blocker.id;
  }

  it.each([
    ["too many", 500, "t"],
    ["too heavy", 300, "t".repeat(500)],
  ])("is told as cut, without cards, and with true counts: %s", async (_how, count, title) => {
    const board = await newBoard();
    const id = await crowd(board, count, title);
    const reader = await follow(board, "?cards=true");
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { status: "cancelled" }));
    await caughtUp(board, reader);
    const [frame] = frames(reader);
    expect(frame).toMatchObject({ cardsCut: true, cards: [], counts: { todo: count, cancelled: 1 } });
    expect(JSON.stringify(frame).length).toBeLessThan(10_000);
  });

  it("just as much as it may hold is not cut", async () => {
    const board = await newBoard();
    const id = await crowd(board, 300, "t");
    const reader = await follow(board, "?cards=true");
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { status: "cancelled" }));
    await caughtUp(board, reader);
    const [frame] = frames(reader);
    expect([frame?.cards.length, frame?.cardsCut]).toEqual([301, undefined]);
  });

  it("so is what moves the end of every lease, of which no event says so", async () => {
    const board = await newBoard();
    const reader = await follow(board, "?cards=true");
    ok(await call(board.lead, "PATCH", board.path, { name: "Renamed" }));
    ok(await call(board.lead, "PATCH", board.path, { settings: { leaseTtlMs: 240_000 } }));
    await caughtUp(board, reader);
    expect(frames(reader).map(({ cardsCut }) => cardsCut)).toEqual([undefined, true]);
  });
});

describe("over long polls", () => {
  it("a page has the cards of its events, the counts, and the seq they are true at", async () => {
    const board = await newBoard();
    const blocker = await board.add({ title: "blocker" });
    const waiting = await board.add({ title: "waiting", dependsOn: [blocker.id] });
    const start = await seqOf(board);
    const waits = call(board.lead, "GET", `${board.path}/events?after=${start}&cards=true&waitMs=20000`);
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${blocker.id}`, { status: "cancelled" }));
    const page = ok(await waits);
    expect(page.cards.map(({ id }: { id: string }) => id)).toEqual([blocker.id, waiting.id]);
    expect(page).toMatchObject({ asOf: start + 1, seq: start + 1, counts: { todo: 1, cancelled: 1 } });
    const plain = ok(await call(board.lead, "GET", `${board.path}/events?after=0`));
    expect(Object.keys(plain).sort()).toEqual(["events", "hasMore", "nextCursor", "seq"]);
  });

  it("who reads page by page ends with what the interface answers", async () => {
    const board = await newBoard();
    const blocker = await board.add({ title: "blocker" });
    for (const title of ["a", "b", "c"]) await board.add({ title, dependsOn: [blocker.id] });
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${blocker.id}`, { status: "cancelled" }));
    const pages = [];
    for (let cursor: string | null = "0"; cursor !== null; ) {
      const page = ok(
        await call(board.lead, "GET", `${board.path}/events?cursor=${cursor}&limit=2&cards=true`),
      );
      pages.push({ type: "events" as const, ...page });
      cursor = page.nextCursor;
    }
    expect(pages.length).toBeGreaterThan(2);
    await expectTruth(board, show(pages));
  });
});
