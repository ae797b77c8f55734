/**
 * A thousand times the holder's last word, another word of his, the sweep and a lead's hand reach for the same run
 * at once, in an order drawn from a seed. Whoever is first ends it; nobody else does.
 */
import { runInDurableObject } from "cloudflare:test";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Board } from "../../src/board/board.ts";
import type { Reply } from "../../src/board/replay.ts";
import { Traffic } from "../../src/board/traffic.ts";
import type { LeaseProof } from "../../src/contract/roles.ts";
import { newBoard, type TestBoard } from "../support/api.ts";
import { inside, LEAD as LEADING, WORKER } from "../support/inside.ts";
import { value } from "../support/runs.ts";

const RACES = 1_000;
const AT_ONCE = 50;
const SEED = 20_270_115;

const LEADS = ["cancel", "displace", "revoke"] as const;
type Lead = (typeof LEADS)[number];
type Closer = "finish" | "fail" | "sweep" | Lead;

interface Race {
  id: string;
  /** The token its task was claimed with; the holder speaks with another one of his. */
  tokenId: string;
  lease: LeaseProof;
  lead: Lead;
  order: Closer[];
}

const LEAD = { caller: LEADING };
const HOLDER = { caller: { ...WORKER, sub: "holder" } };

const NO_CHANGE = {
  content: {},
  lease: null,
  humanOverride: false,
  overrideReason: null,
  ifVersion: null,
  ifChangeSeq: null,
};

/** What ended the run: how that shows, and what it leaves. */
const ENDINGS: Record<Closer, { run: string; event: string; status: string; lost: string }> = {
  finish: { run: "succeeded", event: "execution_completed", status: "done", lost: "completed" },
  fail: { run: "failed", event: "execution_completed", status: "todo", lost: "completed" },
  sweep: { run: "timed_out", event: "task_released sweep", status: "todo", lost: "timed_out" },
  cancel: { run: "cancelled", event: "status_changed cancelled", status: "cancelled", lost: "cancelled" },
  displace: {
    run: "cancelled displaced",
    event: "task_released displace",
    status: "todo",
    lost: "displaced",
  },
  revoke: { run: "cancelled revoked", event: "task_released revoke", status: "todo", lost: "revoked" },
};
const CLOSERS = Object.keys(ENDINGS) as Closer[];

/** The same numbers every time; an even spread is all that is asked of them. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function shuffled<T>(items: readonly T[], draw: (below: number) => number): T[] {
  const rest = [...items];
  return items.map(() => rest.splice(draw(rest.length), 1)[0] as T);
}

/** Every reply but the sweep's, which has none. */
type Told = Partial<Record<Closer, Reply<unknown> | null>>;

/** All are on their way before the first arrives, each as an event of its own for the object. */
async function run(board: TestBoard, { id, lease, tokenId, order }: Race): Promise<Told> {
  const complete = (object: Board, outcome: "succeeded" | "failed", status: "done" | "todo") =>
    object.completeTask(HOLDER, { id, lease, outcome, status });
  const move = (object: Board, status: "cancelled" | "todo", displace: boolean) =>
    object.changeTask(LEAD, { ...NO_CHANGE, id, status, displace });
  const acts: Record<Closer, (object: Board, sql: SqlStorage) => Reply<unknown> | Promise<null>> = {
    finish: (object) => complete(object, "succeeded", "done"),
    fail: (object) => complete(object, "failed", "todo"),
    // The holder went silent long ago, and the alarm fires.
    sweep: async (object, sql) => {
      sql.exec("update execution_processes set last_beat_at = 1 where task_id = ?", id);
      await object.alarm();
      return null;
    },
    cancel: (object) => move(object, "cancelled", false),
    displace: (object) => move(object, "todo", true),
    revoke: (object) => object.revokeToken(LEAD, tokenId),
  };
  const told = await Promise.all(
    order.map((closer) =>
      runInDurableObject(board.stub(), (object: Board, { storage }) => acts[closer](object, storage.sql)),
    ),
  );
  return Object.fromEntries(order.map((closer, index) => [closer, told[index]]));
}

/** Claimed, and ready to start. */
async function lineUp(board: TestBoard, draw: (below: number) => number): Promise<Race[]> {
  const stub = board.stub();
  const tasks = Array.from({ length: AT_ONCE }, (_, index) => ({
    ref: `${index}`,
    draft: { title: "race" },
    dependsOn: [],
  }));
  const plan = value(await stub.createPlan(LEAD, { tasks, dryRun: false }));
  return Promise.all(
    plan.tasks.map(async ({ id }) => {
      const lead = LEADS[draw(LEADS.length)] as Lead;
      const order = shuffled<Closer>(["finish", "fail", "sweep", lead], draw);
      const minted = value(await stub.mintToken(LEAD, { agentId: "holder", role: "worker" }));
      const { id: jti } = minted.info;
      const caller = { ...HOLDER.caller, jti, inc: minted.incarnation };
      const granted = value(await stub.claimTask({ caller }, { id }));
      return { id, tokenId: jti, lease: { kind: "signed", ...granted.lease }, lead, order };
    }),
  );
}

/** What the tables say became of these tasks. */
function outcomes(board: TestBoard, races: readonly Race[]) {
  return inside(board, ({ sql }) =>
    races.map(({ id }) => ({
      runs: sql
        .all("select status, reason from execution_processes where task_id = ?", id)
        .map(({ status, reason }) => (reason === null ? status : `${status} ${reason}`)),
      events: sql
        .all(
          `select kind, data ->> 'via' as via, data ->> '$.execution.status' as ended
           from events where task_id = ? order by seq`,
          id,
        )
        .map(({ kind, via, ended }) => [kind, via, kind === "status_changed" ? ended : null])
        .map((words) => words.filter((word) => word !== null).join(" ")),
      status: sql.first("select status from tasks where id = ?", id)?.["status"],
    })),
  );
}

/** What has to have become of a task, once it is known who was first. */
function promised({ lead }: Race, winner: Closer) {
  const { run, event, status } = ENDINGS[winner];
  // A task that was given back can be cancelled: a move of its own, which ends no run.
  const cancelledLater = lead === "cancel" && status === "todo";
  return {
    runs: [run],
    events: ["task_created", "task_claimed", event, ...(cancelledLater ? ["status_changed"] : [])],
    status: cancelledLater ? "cancelled" : status,
  };
}

/** The answers there have to be, each in a word. */
function promisedWords({ lead }: Race, winner: Closer) {
  const spoken = winner === "finish" || winner === "fail";
  const late = spoken ? "already_closed" : `lease_lost ${ENDINGS[winner].lost}`;
  return {
    finish: winner === "finish" ? "ok" : late,
    fail: winner === "fail" ? "ok" : late,
    sweep: "ok",
    [lead]: winner === "finish" && lead !== "revoke" ? "illegal_transition" : "ok",
  };
}

function inWords(told: Told) {
  const word = (reply: Reply<unknown> | null) =>
    reply === null || reply.ok ? "ok" : [reply.reason, reply.extra?.["reason"]].filter(Boolean).join(" ");
  return Object.fromEntries(Object.entries(told).map(([closer, reply]) => [closer, word(reply)]));
}

// One token asks for many here, more than its share.
beforeAll(() => void vi.spyOn(Traffic.prototype, "refusal").mockReturnValue(null));
afterAll(() => void vi.restoreAllMocks());

it("a run that many would end at once is ended once, by the first, and the others are told", async () => {
  const board = await newBoard();
  const draw = numbersFrom(SEED);
  const wins = new Map<Closer, number>();
  for (let raced = 0; raced < RACES; raced += AT_ONCE) {
    const races = await lineUp(board, draw);
    const told = await Promise.all(races.map((race) => run(board, race)));
    const became = await outcomes(board, races);
    for (const [index, race] of races.entries()) {
      const winner = CLOSERS.find((closer) => ENDINGS[closer].run === became[index]?.runs[0]) as Closer;
      expect(became[index], race.order.join(", ")).toEqual(promised(race, winner));
      expect(inWords(told[index] as Told), race.order.join(", ")).toEqual(promisedWords(race, winner));
      wins.set(winner, (wins.get(winner) ?? 0) + 1);
    }
    // Whoever comes once more, in any order, changes nothing.
    for (const race of races.slice(0, 3)) await run(board, race);
    expect(await outcomes(board, races)).toEqual(became);
  }
  for (const closer of CLOSERS) expect(wins.get(closer), closer).toBeGreaterThan(RACES / 50);
}, 120_000);
