/** An operation that breaks in the middle of its writes leaves nothing of itself, and can be asked again. */
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { expect, it, vi } from "vitest";
import type { Board } from "../../src/board/board.ts";
import type { Call } from "../../src/board/replay.ts";
import type { LeaseProof } from "../../src/contract/roles.ts";
import { newBoard, type TestBoard } from "../support/api.ts";
import { tablesOf } from "../support/exports.ts";
import { backdate, inside, LEAD, WORKER } from "../support/inside.ts";
import { value } from "../support/runs.ts";

const lead: Call = { caller: LEAD };
const worker: Call = { caller: WORKER };
/** Asked under a key, so that the record of the answer is one of the writes that have to go. */
const keyed = (call: Call): Call => ({ ...call, key: { scope: "x", value: "k", bodyHash: "" } });

interface Scene {
  made: TestBoard;
  open: string;
  held: string;
  lease: LeaseProof;
}

const onBoard = <T>({ made }: Pick<Scene, "made">, work: (board: Board) => T) =>
  runInDurableObject(made.stub(), (instance) => work(instance as unknown as Board));

/** A task that is open and one that is held; another waits for each, and would be cancelled with it. */
async function scene(): Promise<Scene> {
  const made = await newBoard();
  return onBoard({ made }, (board) => {
    const add = (title: string) => value(board.createTask(lead, { draft: { title }, dependsOn: [] })).task.id;
    const [open, held] = [add("open"), add("held")];
    for (const dependsOnTaskId of [open, held])
      value(board.linkDependency(lead, { id: add("waits"), dependsOnTaskId, onCancel: "cascade" }));
    const { lease } = value(board.claimTask(worker, { id: held }));
    return { made, open, held, lease: { kind: "signed", ...lease } };
  });
}

const BY_HAND = {
  content: { title: "edited" },
  lease: null,
  humanOverride: false,
  overrideReason: null,
  displace: false,
  ifVersion: null,
  ifChangeSeq: null,
};

const ACTS: Record<string, (board: Board, scene: Scene) => { ok: boolean }> = {
  "a claim": (board, { open }) => board.claimTask(keyed(worker), { id: open }),
  "a claim-next": (board) => board.claimNext(keyed(worker), { limit: 1 }),
  "a create": (board, { open }) =>
    board.createTask(keyed(lead), { draft: { title: "new" }, dependsOn: [open] }),
  "a plan": (board) =>
    board.createPlan(keyed(lead), {
      tasks: [{ ref: "a", draft: { title: "a" }, dependsOn: [] }],
      dryRun: false,
    }),
  "a completion": (board, { held, lease }) =>
    board.completeTask(worker, { id: held, lease, outcome: "succeeded", status: "done", costUsd: 1 }),
  "a release": (board, { held, lease }) => board.releaseTask(worker, { id: held, lease }),
  "a cancel that cascades": (board, { held }) =>
    board.changeTask(lead, { ...BY_HAND, id: held, status: "cancelled" }),
  "a drop": (board, { held }) => board.dropTask(lead, held),
  "a link": (board, { open, held }) =>
    board.linkDependency(lead, { id: open, dependsOnTaskId: held, onCancel: "hold" }),
  "a comment": (board, { open }) => board.addComment(keyed(lead), { id: open, body: "hello" }),
};

const breakInserts = (made: TestBoard, table: string) =>
  inside(made, ({ sql }) =>
    sql.run(`create trigger broken before insert on ${table} begin select raise(abort, 'broken'); end`),
  );

const mend = (made: TestBoard) => inside(made, ({ sql }) => sql.run("drop trigger broken"));

it.each(Object.keys(ACTS))(
  "%s that breaks leaves no row changed, and is done when it is asked again",
  async (what) => {
    const act = ACTS[what] as (typeof ACTS)[string];
    const one = await scene();
    const before = await tablesOf(one.made);
    const replies = () => inside(one.made, ({ sql }) => sql.number("select count(*) from replies"));
    // Events come last, so that a log that cannot be written breaks an operation as late as may be.
    await breakInserts(one.made, "events");
    await onBoard(one, (board) => expect(() => act(board, one)).toThrow("broken"));
    expect(await tablesOf(one.made)).toEqual(before);
    expect(await replies()).toBe(0);
    await mend(one.made);
    await onBoard(one, (board) => expect(act(board, one)).toMatchObject({ ok: true }));
    expect(await tablesOf(one.made)).not.toEqual(before);
  },
);

it("a claim whose run cannot be opened is no claim: the task stays open for whoever comes next", async () => {
  const one = await scene();
  await breakInserts(one.made, "execution_processes");
  await onBoard(one, (board) => expect(() => board.claimTask(worker, { id: one.open })).toThrow("broken"));
  const open = { status: "todo", assigneeAgentId: null, epoch: 0, lease: null, ready: true };
  expect(await one.made.get(one.open)).toMatchObject(open);
  await mend(one.made);
  expect((await one.made.claim(one.open, one.made.lead)).lease.epoch).toBe(1);
});

it("a sweep that breaks leaves every lease as it was, and the next one takes them all", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const one = await scene();
  const { made, open, held } = one;
  await onBoard(one, (board) => value(board.claimTask(worker, { id: open })));
  for (const id of [open, held]) await backdate(made, id, 200_000);
  await breakInserts(made, "events");
  const runs = () => inside(made, ({ sql }) => sql.all("select * from execution_processes order by task_id"));
  const before = [await made.get(open), await made.get(held), await runs()];
  await runDurableObjectAlarm(made.stub());
  expect([await made.get(open), await made.get(held), await runs()]).toEqual(before);
  await mend(made);
  await runDurableObjectAlarm(made.stub());
  for (const id of [open, held])
    expect(await made.get(id)).toMatchObject({ status: "todo", attemptStreak: 1 });
  vi.restoreAllMocks();
});
