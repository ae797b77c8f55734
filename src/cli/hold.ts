/** A task in our hands from one command to the next: which one is meant, and the lease to write with. */
import { Refused } from "../client/errors.ts";
import type { Context } from "./context.ts";
import { Misused } from "./failure.ts";
import type { Held } from "./leases.ts";

export class Hold {
  /** As it was named; the board knows both ways. */
  readonly id: string;
  /** Without one the board says whether it takes one. */
  readonly leaseToken: string | undefined;
  /** What `claim` left here. */
  readonly held: Held | null;
  readonly #context: Context;

  constructor(context: Context, id: string, given: string | undefined) {
    this.id = id;
    this.held = context.leases.find(id);
    this.leaseToken = given ?? this.held?.grant.token;
    this.#context = context;
  }

  /** A write by the lease; one that is lost is not kept any longer. */
  async write<T>(send: () => Promise<T>): Promise<T> {
    try {
      return await send();
    } catch (error) {
      if (Refused.is(error, "lease_lost")) this.forget();
      throw error;
    }
  }

  /** The last word. Where its answer is lost, the lease stays, so that it can be said again. */
  async end<T>(send: () => Promise<T>): Promise<T> {
    const answer = await this.write(send);
    this.forget();
    return answer;
  }

  /** Not where another lease was given than the one that is kept. */
  forget(): void {
    if (this.held !== null && this.held.grant.token === this.leaseToken)
      this.#context.leases.forget(this.held);
  }
}

/** The task that was named; or the only one that is held here. */
export function holdOf(context: Context, named: string | undefined, lease?: string): Hold {
  if (named !== undefined) return new Hold(context, named, lease);
  const all = context.leases.all();
  const [only] = all;
  if (only === undefined) throw new Misused("No task is held here.", "Name one, or `edgeboard claim` one.");
  if (all.length === 1) return new Hold(context, `n${only.number}`, lease);
  const names = all.map(({ number }) => `n${number}`).join(", ");
  throw new Misused(`${all.length} tasks are held here: ${names}.`, "Name one.");
}
