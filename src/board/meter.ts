/** What boards did for one request, added up as their answers come in: for the line that is written of it. */
import { addCost, type Cost, NO_COST } from "./cost.ts";
import type { BoardStub } from "./stub.ts";

interface Counted {
  cost?: Cost;
  replayed?: true;
}

export class Meter {
  cost = NO_COST;
  replayed = false;
  #unanswered = 0;

  /** A call did not come back, or is still on its way: what it reads and writes, nobody knows. */
  get lost(): boolean {
    return this.#unanswered > 0;
  }

  async count<T>(ask: () => Promise<T>): Promise<T> {
    this.#unanswered += 1;
    const answer = await ask();
    this.#unanswered -= 1;
    // A few answers are no replies: nothing, or yes and no.
    const { cost, replayed } = Object(answer) as Counted;
    this.cost = addCost(this.cost, cost);
    if (replayed === true) this.replayed = true;
    return answer;
  }

  /** The same board, with its answers counted. */
  watch(stub: BoardStub): BoardStub {
    const meter = this;
    return new Proxy(stub, {
      get(target, name) {
        // Called in place: what looks like a method is a remote one, whose own `apply` would be asked for there.
        const methods = target as unknown as Record<PropertyKey, (...args: unknown[]) => Promise<unknown>>;
        return (...args: unknown[]) => meter.count(async () => methods[name]?.(...args));
      },
    });
  }
}
