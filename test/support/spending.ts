/** A task somebody works on, and what it spends: for tests about budgets. */
import type { Settings } from "../../src/contract/settings.ts";
import { call, events, newBoard, ok, type TestBoard } from "./api.ts";

export interface Held {
  board: TestBoard;
  worker: string;
  id: string;
  leaseToken: string;
}

/** A task somebody works on, on a board with these settings. */
export async function held(task: object = {}, settings: Partial<Settings> = {}): Promise<Held> {
  const board = await newBoard(settings);
  const worker = await board.mint("worker");
  const { id } = await board.add({ title: "work", ...task });
  const { lease } = await board.claim(id, worker);
  return { board, worker, id, leaseToken: lease.token };
}

/** A beat that reports this cost in dollars; its answer. */
export const beat = async ({ board, worker, id, leaseToken }: Held, costUsd?: number) =>
  ok(
    await call(worker, "POST", `${board.path}/tasks/${id}/heartbeat`, {
      leaseToken,
      ...(costUsd === undefined ? {} : { usage: { costUsd } }),
    }),
  );

export const complete = async ({ board, worker, id, leaseToken }: Held, word: object) =>
  ok(
    await call(worker, "POST", `${board.path}/tasks/${id}/complete`, {
      leaseToken,
      outcome: "succeeded",
      status: "done",
      ...word,
    }),
  );

/** The events about budgets, each in a few words. */
export async function told(board: TestBoard): Promise<string[]> {
  const log = await events(board);
  return log
    .filter((event) => event.kind.startsWith("budget_"))
    .map(({ kind, data }) => `${data.scope} ${kind}: ${data.spentUsd} of ${data.budgetUsd}`);
}
