/** Commands as data, so that a failing history shrinks to a short one; each runs on the model and on the board. */
import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import fc from "fast-check";
import { vi } from "vitest";
import type { BoardStub } from "../../src/board/stub.ts";
import type { Caller, LeaseProof } from "../../src/contract/roles.ts";
import type { TestBoard } from "../support/api.ts";
import type { Answer, Lease, Model, OnCancel, Status } from "./model.ts";

const task = fc.nat(9);
const lease = fc.nat(9);
const agent = fc.constantFrom("a", "b", "c");

export const command = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant("create" as const),
      priority: fc.nat(2),
      waitsFor: fc.array(task, { maxLength: 2 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ verb: fc.constant("claim" as const), task, agent, keyed: fc.boolean() }),
  },
  { weight: 4, arbitrary: fc.record({ verb: fc.constant("claimNext" as const), agent }) },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant("beat" as const), lease }) },
  {
    weight: 6,
    arbitrary: fc.record({
      verb: fc.constant("finish" as const),
      lease,
      word: fc.constantFrom(
        "succeeded done",
        "succeeded in_review",
        "failed todo",
        "failed blocked",
        "failed in_review",
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("release" as const), lease }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("handIn" as const), lease }) },
  {
    weight: 4,
    arbitrary: fc.record({
      verb: fc.constant("move" as const),
      task,
      to: fc.constantFrom<Status>(
        "backlog",
        "todo",
        "in_progress",
        "in_review",
        "blocked",
        "done",
        "cancelled",
      ),
      override: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      verb: fc.constant("link" as const),
      task,
      blocker: task,
      onCancel: fc.constantFrom<OnCancel>("hold", "satisfy", "cascade"),
    }),
  },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant("unlink" as const), task, blocker: task }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant("drop" as const), task }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant("restore" as const), task }) },
  {
    weight: 3,
    arbitrary: fc.record({
      verb: fc.constant("advance" as const),
      ms: fc.constantFrom(1, 20_000, 60_000, 181_000),
    }),
  },
  { weight: 3, arbitrary: fc.record({ verb: fc.constant("sweep" as const) }) },
  { weight: 1, arbitrary: fc.record({ verb: fc.constant("evict" as const) }) },
  { weight: 2, arbitrary: fc.record({ verb: fc.constant("replay" as const) }) },
);

export type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

interface Granted extends Lease {
  proof: LeaseProof;
}

/** The board under test, with the leases it granted and the last keyed claim. */
export interface World {
  board: TestBoard;
  stub: BoardStub;
  leases: Granted[];
  lastKeyed: { task: number; agent: string; key: string; epoch: number } | null;
  keys: number;
}

function caller(sub: string): { caller: Caller } {
  const role = sub === "lead" ? "lead" : "worker";
  return { caller: { sub, role, jti: null, inc: null, runtime: null, capabilities: [] } };
}

const LEAD = caller("lead");

/** What the model says and what the board says; null where the command had nothing to work on. */
export async function perform(world: World, model: Model, each: Command): Promise<[Answer, Answer] | null> {
  const { stub } = world;
  const pick = (index: number) => (model.tasks.length === 0 ? null : (index % model.tasks.length) + 1);
  const code = (reply: { ok: true } | { ok: false; reason: string }) => (reply.ok ? "ok" : reply.reason);
  switch (each.verb) {
    case "create": {
      const waitsFor = [...new Set(each.waitsFor.map(pick).filter((number) => number !== null))];
      const dependsOn = waitsFor.map((number) => `n${number}`);
      const reply = await stub.createTask(LEAD, {
        draft: { title: "t", priority: each.priority },
        dependsOn,
      });
      return [model.create(each.priority, waitsFor), code(reply)];
    }
    case "claim": {
      const number = pick(each.task);
      if (number === null) return null;
      const key = `k${world.keys++}`;
      return claim(world, model, number, each.agent, each.keyed ? key : null);
    }
    case "claimNext": {
      const [first] = model.queue();
      const reply = await stub.claimNext(caller(each.agent), { limit: 1 });
      if (!reply.ok) return ["ok", reply.reason];
      const [grant] = reply.value.claims;
      if (grant !== undefined) remember(world, grant.task.number, each.agent, grant.lease);
      if (first !== undefined) model.claim(first.number, each.agent);
      return [String(first?.number), String(grant?.task.number)];
    }
    case "replay":
      return replay(world, model);
    case "advance":
      model.now += each.ms;
      vi.setSystemTime(model.now);
      return null;
    case "sweep":
      await runDurableObjectAlarm(world.board.stub());
      model.sweep();
      return null;
    case "evict":
      await evictDurableObject(world.board.stub());
      return null;
    case "move": {
      const number = pick(each.task);
      if (number === null) return null;
      const reply = await stub.changeTask(LEAD, {
        ...QUIET,
        id: `n${number}`,
        status: each.to,
        displace: true,
        humanOverride: each.override,
      });
      return [model.moveByLead(number, each.to, each.override), code(reply)];
    }
    case "link":
    case "unlink": {
      const [number, blocker] = [pick(each.task), pick(each.blocker)];
      if (number === null || blocker === null) return null;
      const edge = { id: `n${number}`, dependsOnTaskId: `n${blocker}` };
      if (each.verb === "unlink")
        return [model.unlink(number, blocker), code(await stub.unlinkDependency(LEAD, edge))];
      const linked = await stub.linkDependency(LEAD, { ...edge, onCancel: each.onCancel });
      return [model.link(number, blocker, each.onCancel), code(linked)];
    }
    case "drop":
    case "restore": {
      const number = pick(each.task);
      if (number === null) return null;
      const id = `n${number}`;
      return each.verb === "drop"
        ? [model.drop(number), code(await stub.dropTask(LEAD, id))]
        : [model.restore(number), code(await stub.restoreTask(LEAD, id))];
    }
    default:
      return withLease(world, model, each);
  }
}

type LeaseCommand = Extract<Command, { lease: number }>;

/** Any lease ever granted, so that most of them are dead: that is the point. */
async function withLease(world: World, model: Model, each: LeaseCommand): Promise<[Answer, Answer] | null> {
  if (world.leases.length === 0) return null;
  const held = world.leases[world.leases.length - 1 - (each.lease % world.leases.length)] as Granted;
  const who = caller(held.agent);
  const input = { id: `n${held.task}`, lease: held.proof };
  const code = (reply: { ok: true } | { ok: false; reason: string }) => (reply.ok ? "ok" : reply.reason);
  switch (each.verb) {
    case "beat":
      return [model.beat(held), code(await world.stub.heartbeat(who, input))];
    case "release":
      return [model.release(held), code(await world.stub.releaseTask(who, input))];
    case "handIn":
      return [
        model.handIn(held),
        code(await world.stub.changeTask(who, { ...QUIET, ...input, status: "in_review" })),
      ];
    case "finish": {
      const [outcome, status] = each.word.split(" ") as ["succeeded" | "failed", "done"];
      const reply = await world.stub.completeTask(who, { ...input, outcome, status });
      return [model.finish(held, outcome, status), code(reply)];
    }
  }
}

const QUIET = {
  content: {},
  lease: null,
  humanOverride: false,
  overrideReason: null,
  displace: false,
  ifVersion: null,
  ifChangeSeq: null,
};

async function claim(
  world: World,
  model: Model,
  number: number,
  agent: string,
  key: string | null,
): Promise<[Answer, Answer]> {
  const call = {
    ...caller(agent),
    ...(key === null ? {} : { key: { scope: `claim ${number}`, value: key, bodyHash: "" } }),
  };
  const reply = await world.stub.claimTask(call, { id: `n${number}` });
  if (reply.ok) remember(world, number, agent, reply.value.lease);
  if (reply.ok && key !== null)
    world.lastKeyed = { task: number, agent, key, epoch: reply.value.lease.epoch };
  return [model.claim(number, agent), reply.ok ? "ok" : reply.reason];
}

/** The same keyed claim again: the same lease while it runs, never a fresh one. */
async function replay(world: World, model: Model): Promise<[Answer, Answer] | null> {
  const keyed = world.lastKeyed;
  if (keyed === null) return null;
  const key = { scope: `claim ${keyed.task}`, value: keyed.key, bodyHash: "" };
  const reply = await world.stub.claimTask({ ...caller(keyed.agent), key }, { id: `n${keyed.task}` });
  const runs = model.task(keyed.task).running?.epoch === keyed.epoch;
  return [
    runs ? `epoch ${keyed.epoch}` : "lease_lost",
    reply.ok ? `epoch ${reply.value.lease.epoch}` : reply.reason,
  ];
}

function remember(
  world: World,
  number: number,
  agent: string,
  granted: { incarnation: string; executionId: string; epoch: number },
) {
  const { incarnation, executionId, epoch } = granted;
  world.leases.push({
    task: number,
    epoch,
    agent,
    proof: { kind: "signed", incarnation, executionId, epoch },
  });
}
