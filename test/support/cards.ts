/** The board as somebody shows it who applies cards and beats, and knows no rules. */
import { expect } from "vitest";
import type { LiveMessage } from "../../src/contract/live.ts";
import type { TaskCard } from "../../src/contract/task.ts";
import { call, ok, type TestBoard } from "./api.ts";
import type { Follower } from "./socket.ts";

export interface Shown {
  cards: Map<string, TaskCard>;
  counts: unknown;
}

export type CardsMessage = Extract<LiveMessage, { type: "events" }> & { cards: TaskCard[]; asOf: number };

export const frames = ({ messages }: Follower): CardsMessage[] =>
  messages.flatMap((message) =>
    message.type === "events" && message.cards !== undefined ? [message as CardsMessage] : [],
  );

export const beatsIn = ({ messages }: Follower) =>
  messages.flatMap((message) => (message.type === "beats" ? message.beats : []));

/** What somebody ends with who began with nothing and read all of this. */
export function show(messages: readonly LiveMessage[]): Shown {
  const cards = new Map<string, TaskCard & { asOf: number }>();
  let counts: unknown = null;
  let countsAsOf = -1;
  for (const message of messages) {
    if (message.type === "beats")
      for (const { taskId, epoch, heartbeatAt, expiresAt } of message.beats) {
        const card = cards.get(taskId);
        if (card?.lease?.epoch !== epoch) continue;
        cards.set(taskId, { ...card, heartbeatAt, lease: { ...card.lease, state: "live", expiresAt } });
      }
    if (message.type !== "events" || message.asOf === undefined) continue;
    const { asOf } = message;
    for (const card of message.cards ?? [])
      if ((cards.get(card.id)?.asOf ?? 0) <= asOf) cards.set(card.id, { ...card, asOf });
    if (asOf >= countsAsOf) [counts, countsAsOf] = [message.counts, asOf];
  }
  return {
    cards: new Map([...cards].map(([id, { asOf: _, ...card }]) => [id, card])),
    counts,
  };
}

/** Without what changes by the clock alone: whoever shows it has a clock too. */
function atAnyMoment({ ready, lease, ...card }: Omit<TaskCard, "verdict">, { notBefore }: TaskCard) {
  const { state: _, ...holding } = lease ?? {};
  return { ...card, lease: lease === null ? null : holding, ...(notBefore === null ? { ready } : {}) };
}

/** What is shown is what the interface answers, card for card, of every task there is. */
export async function expectTruth(board: TestBoard, { cards, counts }: Shown): Promise<void> {
  const { tasks } = ok(await call(board.lead, "GET", `${board.path}/tasks?includeDropped=true&limit=200`));
  expect([...cards.keys()].sort()).toEqual(tasks.map(({ id }: TaskCard) => id).sort());
  for (const { verification, ...task } of tasks) {
    const { verdict, ...card } = cards.get(task.id) as TaskCard;
    expect(task).toMatchObject(atAnyMoment(card, task));
    expect(verdict).toBe(verification?.status ?? null);
  }
  expect(counts).toEqual(ok(await call(board.lead, "GET", board.path)).counts);
}
