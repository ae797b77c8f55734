/**
 * Looks after leases that have run out by our own clock: a beat may have passed us by, since beats are told once and
 * over sockets only.
 */
import type { Board } from "../../client/board.ts";
import { LIST_MAX } from "../../contract/limits.ts";
import { cardOf } from "./card.ts";
import type { Store } from "./store.ts";

const EVERY_MS = 10_000;

export function watchLeases(board: Board, store: Store, signal: AbortSignal): void {
  const timer = setInterval(() => void look(board, store, signal).catch(() => {}), EVERY_MS);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}

async function look(board: Board, store: Store, signal: AbortSignal): Promise<void> {
  const now = store.now();
  if (!store.cards().some(({ lease }) => lease !== null && lease.expiresAt <= now)) return;
  const held = await board.tasks.list({ status: ["in_progress", "in_review"], limit: LIST_MAX }, { signal });
  store.apply(held.tasks.map(cardOf), held.seq);
}
