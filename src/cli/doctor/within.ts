/** The client as checks use it: every call ends with the check, and what had to be asked again is counted. */
import type { RouteName } from "../../client/addresses.ts";
import type { Answer, CallOptions, Input } from "../../client/calls.ts";
import { Edgeboard } from "../../client/edgeboard.ts";
import { Refused } from "../../client/errors.ts";
import type { Reason } from "../../contract/reasons.ts";

/** Short: a call that is tried for half a minute is one a person would call broken. */
const BUDGET_MS = 12_000;

export class Within extends Edgeboard {
  readonly #signal: AbortSignal;

  constructor(url: string, token: string, signal: AbortSignal, onRetry: () => void = () => {}) {
    super({ url, token, budgetMs: BUDGET_MS, onRetry });
    this.#signal = signal;
  }

  override call<N extends RouteName>(
    name: N,
    input: Input<N>,
    options: CallOptions = {},
  ): Promise<Answer<N>> {
    return super.call(name, input, { ...options, signal: this.#signal });
  }
}

/** The code a call is refused with; null: it went through. */
export async function refusalOf(call: Promise<unknown>): Promise<Reason | null> {
  try {
    await call;
    return null;
  } catch (error) {
    if (error instanceof Refused) return error.code;
    throw error;
  }
}
