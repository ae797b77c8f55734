/** Requests that wait, as tests start them. A test that uses these restores its mocks. */
import { expect, vi } from "vitest";
import { Waiters } from "../../src/board/waiters.ts";
import type { Reply } from "../support/api.ts";

/** Long enough that a test fails by its time when nobody wakes the request. */
export const LONG = 25_000;

/** How often anything has begun to wait since this was first asked. */
export function waits(): number {
  return vi.spyOn(Waiters.prototype, "wait").mock.calls.length;
}

/** Requests that wait, from the moment they all do: from then on only a change can answer them. */
export async function waiting(ask: () => Promise<Reply>[]): Promise<Promise<Reply>[]> {
  const before = waits();
  const pending = ask();
  await vi.waitFor(() => expect(waits() - before).toBeGreaterThanOrEqual(pending.length), { interval: 2 });
  return pending;
}
