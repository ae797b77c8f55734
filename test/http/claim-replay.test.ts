/** A claim repeated under its idempotency key: the same lease while it runs, and never another. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { expect, it } from "vitest";
import { call, events, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { backdate } from "../support/inside.ts";
import { isReplay, keyed, standing, twins } from "./support.ts";

it("a lost claim may be asked again under its key, and is granted when it can be", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const blocker = await board.add({ title: "first" });
  const task = await board.add({ title: "then", dependsOn: [blocker.id] });
  const claim = () => keyed(worker, `${board.path}/tasks/${task.id}/claim`, "k");
  refused(await claim(), 409, "not_ready");
  refused(await claim(), 409, "not_ready");
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/${blocker.id}`, { status: "cancelled" }));
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${task.id}/dependencies/${blocker.id}`));
  const granted = await claim();
  expect([ok(granted).lease.epoch, isReplay(granted)]).toEqual([1, false]);
});

it("an empty claim is not recorded: the same key gets the work that came later", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const claim = () => keyed(worker, `${board.path}/claims`, "k", { limit: 2 });
  expect(ok(await claim()).claims).toEqual([]);
  const task = await board.add({ title: "late" });
  const granted = await claim();
  expect(ok(granted).claims[0].task.id).toBe(task.id);
  expect(isReplay(granted)).toBe(false);
  expect((await claim()).text).toBe(granted.text);
});

it("a claim repeated while its lease runs is the same lease; twenty twins are one run", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const task = await board.add({ title: "one" });
  const path = `${board.path}/tasks/${task.id}`;
  const first = await twins(() => keyed(worker, `${path}/claim`, "k"), 200);
  ok(await call(worker, "POST", `${path}/heartbeat`, { leaseToken: first.json.lease.token }));
  const again = await keyed(worker, `${path}/claim`, "k");
  expect(again.json.lease).toEqual(first.json.lease);
  expect(isReplay(again)).toBe(true);
  expect(ok(await call(worker, "GET", `${path}/executions`)).executions).toHaveLength(1);
  expect(await events(board, "&kind=task_claimed")).toHaveLength(1);
  const unkeyed = refused(await call(worker, "POST", `${path}/claim`, {}), 409, "conflict");
  expect(unkeyed.holder).toMatchObject({ agentId: "agent", epoch: 1, state: "live" });
});

const ENDINGS: Record<
  string,
  (board: TestBoard, worker: string, id: string, lease: string) => Promise<unknown>
> = {
  released: ({ path }, worker, id, leaseToken) =>
    call(worker, "POST", `${path}/tasks/${id}/release`, { leaseToken }),
  completed: ({ path }, worker, id, leaseToken) =>
    call(worker, "POST", `${path}/tasks/${id}/complete`, {
      leaseToken,
      outcome: "failed",
      status: "blocked",
    }),
  cancelled: ({ path, lead }, _, id) => call(lead, "PATCH", `${path}/tasks/${id}`, { status: "cancelled" }),
  displaced: ({ path, lead }, _, id) =>
    call(lead, "PATCH", `${path}/tasks/${id}`, { status: "todo", displace: true }),
  timed_out: async (board, _, id) => {
    await backdate(board, id, 600_000);
    await runDurableObjectAlarm(board.stub());
  },
  superseded: async (board, worker, id, leaseToken) => {
    ok(await call(worker, "POST", `${board.path}/tasks/${id}/release`, { leaseToken }));
    await board.claim(id, worker);
  },
};

it.each(Object.keys(ENDINGS))(
  "a claim whose lease is %s is refused under its key, never granted afresh",
  async (reason) => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const task = await board.add({ title: "one" });
    const claim = () => keyed(worker, `${board.path}/tasks/${task.id}/claim`, "k");
    const { lease } = ok(await claim());
    await ENDINGS[reason]?.(board, worker, task.id, lease.token);
    const before = await standing(board, task.id);
    expect(refused(await claim(), 409, "lease_lost").reason).toBe(reason);
    expect(await standing(board, task.id)).toBe(before);
  },
);

it("many claims at once are repeated while one of them runs, and refused when the last has ended", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  for (const title of ["a", "b", "c"]) await board.add({ title });
  const claim = () => keyed(worker, `${board.path}/claims`, "k", { limit: 3 });
  const first = await twins(claim, 200);
  expect(first.json.claims).toHaveLength(3);
  for (const { task, lease } of first.json.claims) {
    const repeated = await claim();
    expect([repeated.text === first.text, isReplay(repeated)]).toEqual([true, true]);
    ok(await call(worker, "POST", `${board.path}/tasks/${task.id}/release`, { leaseToken: lease.token }));
  }
  expect(refused(await claim(), 409, "lease_lost").reason).toBe("released");
  expect(await events(board, "&kind=task_claimed")).toHaveLength(3);
});
