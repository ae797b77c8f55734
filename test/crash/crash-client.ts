/**
 * A client of the crash harness: writes at random, each write with a mark and where it can a key, and remembers what it
 * was told. What nobody answered it sends again, the same, until somebody does.
 */
import { isDeepStrictEqual } from "node:util";
import { type Board, type Claim, Refused, Unreachable } from "../../src/client/index.ts";
import type { Chance } from "../support/chance.ts";
import type { Proof } from "./crash-check.ts";
import type { Gate } from "./gate.ts";
import { linkMark, type Verb, type Write } from "./writes.ts";

interface Held {
  claim: Claim;
  proof: Proof;
}

/** A request whose answer was kept, to be asked again. */
interface Keyed {
  ask: () => Promise<unknown>;
  answer: unknown;
}

const HELD_MAX = 3;

export class CrashClient {
  readonly writes: Write[] = [];
  /** What it was told and should not have been. */
  readonly faults: string[] = [];
  /** Leases it lets run out, without a word. */
  silent = 0;
  replays = 0;
  readonly #name: string;
  readonly #board: Board;
  readonly #chance: Chance;
  readonly #gate: Gate;
  readonly #own: { id: string; version: number }[] = [];
  #held: Held[] = [];
  #kept: Keyed | null = null;

  constructor(name: string, board: Board, chance: Chance, gate: Gate) {
    this.#name = name;
    this.#board = board;
    this.#chance = chance;
    this.#gate = gate;
  }

  /** The leases it knows to be good as of some beat. */
  get proofs(): Proof[] {
    return this.#held.map(({ proof }) => proof);
  }

  async run(): Promise<void> {
    for (;;) {
      await this.#gate.pass();
      if (this.#gate.over) return;
      await this.#step();
    }
  }

  /** Asks again what was answered before the kill: it has to hear the same. */
  async askAgain(): Promise<void> {
    if (this.#kept === null) return;
    const { ask, answer } = this.#kept;
    let again: unknown;
    do again = await ask().catch((error: unknown) => error);
    while (again instanceof Unreachable);
    this.replays++;
    // A lease of it may have run out meanwhile; then it is not granted again, and says so.
    if (isDeepStrictEqual(again, answer) || Refused.is(again, "lease_lost")) return;
    this.faults.push(`${this.#name} asked again and heard ${text(again)} instead of ${text(answer)}`);
  }

  #step(): Promise<void> {
    const chance = this.#chance;
    const held = chance.of(this.#held);
    const own = chance.of(this.#own);
    if (held !== undefined && chance.is(0.5)) return this.#workOn(held);
    if (this.#held.length < HELD_MAX && chance.is(0.35)) return this.#claim();
    if (own === undefined || chance.is(0.45)) return this.#create();
    if (chance.is(0.4)) return this.#comment(own.id);
    return chance.is(0.6) ? this.#edit(own) : this.#link();
  }

  async #create(): Promise<void> {
    const write = this.#begin("create");
    const key = { idempotencyKey: write.mark };
    const ask = () => this.#board.tasks.create({ title: write.mark }, key);
    const answer = await this.#settle(write, ask);
    if (answer === null) return;
    write.taskId = answer.task.id;
    this.#own.push({ id: answer.task.id, version: answer.task.version });
    this.#kept = { ask, answer };
  }

  async #comment(id: string): Promise<void> {
    const write = this.#begin("comment");
    write.taskId = id;
    const key = { idempotencyKey: write.mark };
    const ask = () => this.#board.tasks.comment(id, write.mark, key);
    const answer = await this.#settle(write, ask);
    if (answer !== null) this.#kept = { ask, answer };
  }

  /** Edits have no key: the version they expect is what keeps them from being done twice. */
  async #edit(own: { id: string; version: number }): Promise<void> {
    const write = this.#begin("edit");
    write.taskId = own.id;
    const expected = { ifVersion: own.version };
    const change = { description: write.mark };
    const answer = await this.#settle(write, () => this.#board.tasks.edit(own.id, change, expected));
    if (answer !== null) own.version = answer.task.version;
    else if (write.state === "done") own.version++;
    else if (write.state === "unsure") this.#own.splice(this.#own.indexOf(own), 1);
  }

  /** A newer task waits for an older one, so that no ring comes of it. */
  async #link(): Promise<void> {
    const [older, newer] = [0, 0]
      .map(() => Math.floor(this.#chance.next() * this.#own.length))
      .sort((a, b) => a - b)
      .map((index) => this.#own[index]);
    if (older === undefined || newer === undefined || older === newer) return;
    const mark = linkMark(newer.id, older.id);
    if (this.writes.some((write) => write.mark === mark)) return;
    const write = this.#begin("link", mark);
    await this.#settle(write, () => this.#board.tasks.link(newer.id, { dependsOnTaskId: older.id }));
  }

  async #claim(): Promise<void> {
    const write = this.#begin("claim");
    const key = { idempotencyKey: write.mark };
    const asked = { runtime: write.mark };
    const own = this.#chance.is(0.3) ? this.#chance.of(this.#own) : undefined;
    const claim = await this.#settle(write, async () =>
      own === undefined
        ? ((await this.#board.claimNext(asked, key)) ?? "nothing")
        : this.#board.claim(own.id, asked, key),
    );
    if (claim === "nothing") write.state = "refused";
    if (claim === null || claim === "nothing") return;
    const { taskId, epoch } = claim.lease.grant;
    Object.assign(write, { taskId, epoch });
    // One in ten is not heard of again.
    if (this.#chance.is(0.1)) this.silent++;
    else this.#held.push({ claim, proof: { taskId, epoch, beatAt: claim.task.heartbeatAt ?? 0 } });
  }

  async #workOn(held: Held): Promise<void> {
    if (this.#chance.is(0.4)) return this.#beat(held);
    if (this.#chance.is(0.3)) return this.#comment(held.proof.taskId);
    const { lease } = held.claim;
    const { taskId, epoch } = held.proof;
    const verb = this.#chance.is(0.75) ? "complete" : "release";
    const write = this.#begin(verb);
    Object.assign(write, { taskId, epoch });
    const failed = this.#chance.is(0.15);
    const word = failed
      ? ({ outcome: "failed", status: "todo", summary: write.mark } as const)
      : ({ outcome: "succeeded", status: "done", summary: write.mark } as const);
    await this.#settle(write, () =>
      verb === "complete" ? lease.complete(word) : lease.release({ reason: write.mark }),
    );
    this.#forget(held);
  }

  async #beat(held: Held): Promise<void> {
    try {
      const { lease } = await held.claim.lease.heartbeat();
      held.proof = { ...held.proof, beatAt: lease.expiresAt - lease.ttlMs };
    } catch (error) {
      if (error instanceof Refused) this.#forget(held);
      else if (error instanceof Unreachable) await this.#gate.pass();
      else throw error;
    }
  }

  #forget(held: Held): void {
    this.#held = this.#held.filter((one) => one !== held);
  }

  #begin(verb: Verb, mark = `${this.#name}.${this.writes.length}`): Write {
    const write: Write = { verb, mark, state: "sent", lost: 0 };
    this.writes.push(write);
    return write;
  }

  async #settle<T>(write: Write, send: () => Promise<T>): Promise<T | null> {
    for (;;) {
      try {
        const answer = await send();
        write.state = "done";
        return answer;
      } catch (error) {
        if (error instanceof Refused) {
          write.state = stateAfter(write, error);
          return null;
        }
        if (!(error instanceof Unreachable)) throw error;
        write.lost++;
        await this.#gate.pass();
      }
    }
  }
}

/** What a refusal says of the tries before it, whose answers were lost. */
function stateAfter({ verb, mark, lost }: Write, refused: Refused): Write["state"] {
  if (lost === 0) return "refused";
  // Granted before, and run out meanwhile.
  if (verb === "claim") return refused.code === "lease_lost" ? "done" : "refused";
  if (verb === "edit" && Refused.is(refused, "version_mismatch"))
    return refused.problem.task.description === mark ? "done" : "refused";
  // Somebody else may have come between the first try and this one.
  return verb === "edit" || verb === "link" || verb === "release" ? "unsure" : "refused";
}

function text(value: unknown): string {
  return value instanceof Error ? `${value.name}: ${value.message}` : JSON.stringify(value).slice(0, 80);
}
