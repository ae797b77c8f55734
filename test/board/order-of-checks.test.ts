/**
 * Every kind of caller makes every write on a task in every state, inside the object and undone each time: the
 * answer is the first that applies in the promised order, and only what was accepted has changed anything.
 */
import { runInDurableObject } from "cloudflare:test";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { Board } from "../../src/board/board.ts";
import type { Reply } from "../../src/board/replay.ts";
import { Traffic } from "../../src/board/traffic.ts";
import type { LeaseProof } from "../../src/contract/roles.ts";
import { ANSWERS, answerTo, lostBecause, type Write } from "./order-of-checks.ts";
import { type Scene, type Stage, setStage } from "./order-scenes.ts";
import { everyWrite } from "./order-writes.ts";

type Attempt = (object: Board, stage: Stage, scene: Scene, write: Write) => Reply<unknown>;

const attempt: Attempt = (object, { callers, incarnation }, { id, lease: granted, version }, write) => {
  const call = { caller: callers[write.by] };
  const proofs: Record<Write["sends"], LeaseProof | null> = {
    "no token": null,
    "its token": granted === null ? null : { kind: "signed", incarnation, ...granted },
    "a guess": { kind: "unknown" },
  };
  const lease = proofs[write.sends];
  if (write.verb === "release") return object.releaseTask(call, { id, lease });
  if (write.verb === "complete") {
    const { outcome = "succeeded", to } = write;
    return object.completeTask(call, { id, lease, outcome, status: to as "done" });
  }
  return object.changeTask(call, {
    id,
    ...(write.to === null ? {} : { status: write.to }),
    content: Object.fromEntries(write.fields.map((field) => [field, "new"])),
    lease,
    humanOverride: write.override,
    overrideReason: null,
    displace: write.displace,
    ifVersion: write.stale ? version + 1 : null,
    ifChangeSeq: null,
  });
};

/** What a refusal must not have touched. */
function standing({ sql }: DurableObjectStorage, id: string): string {
  const rows = sql.exec(
    `select tasks.*, execution_processes.*, (select max(seq) from events), (select count(*) from audit)
     from tasks left join execution_processes on task_id = tasks.id where tasks.id = ?`,
    id,
  );
  return JSON.stringify([...rows.raw()]);
}

class Undone extends Error {}

/** What the write is told and whether it changed anything, in a transaction that is then rolled back. */
function tried(storage: DurableObjectStorage, id: string, before: string, act: () => Reply<unknown>): string {
  const undone = new Undone();
  let told = "";
  try {
    storage.transactionSync(() => {
      const reply = act();
      const changed = standing(storage, id) !== before;
      if (reply.ok) told = changed ? "accepted" : "nothing to do";
      else told = [reply.reason, reply.extra?.["reason"] ?? "", changed ? "changed!" : ""].join(" ").trim();
      throw undone;
    });
  } catch (error) {
    if (error !== undone) throw error;
  }
  return told;
}

// All of it happens in one moment, which is more than a board lets in.
beforeAll(() => void vi.spyOn(Traffic.prototype, "refusal").mockReturnValue(null));
afterAll(() => void vi.restoreAllMocks());

it("a write is told the first of its faults in the promised order, and has changed nothing", async () => {
  const stage = await setStage();
  const met = new Set<string>();
  const wrong: string[] = [];
  await runInDurableObject(stage.board.stub(), (object: Board, { storage }) => {
    for (const scene of stage.scenes) {
      const before = standing(storage, scene.id);
      for (const write of everyWrite()) {
        if (write.sends === "its token" && scene.lease === null) continue;
        const told = tried(storage, scene.id, before, () => attempt(object, stage, scene, write));
        const answer = answerTo(scene.standing, write);
        const promised = answer === "lease_lost" ? `${answer} ${lostBecause(scene.standing, write)}` : answer;
        if (told !== promised)
          wrong.push(`${promised}, not ${told}: ${JSON.stringify({ ...scene.standing, ...write })}`);
        met.add(answer);
      }
    }
  });
  expect(wrong.slice(0, 20), `${wrong.length} are wrong`).toEqual([]);
  expect(met).toEqual(ANSWERS);
}, 120_000);
