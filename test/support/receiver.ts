/** A receiver of webhooks, and the board's side of it: what it got, and what the board remembers of sending it. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { Webhook } from "standardwebhooks";
import { expect, vi } from "vitest";
import type { BoardEvent } from "../../src/contract/events.ts";
import type { Delivery } from "../../src/contract/webhook.ts";
import { call, ok, type TestBoard } from "./api.ts";
import { inside } from "./inside.ts";
import type { Answer, Seen } from "./receivers.ts";

export interface Receiver {
  url: string;
  /** What it answers from now on: one for each request, the last for all that follow. */
  answers: (...answers: Answer[]) => Promise<void>;
  /** Answers the requests it has left hanging, 204 unless something else is said. */
  release: (status?: number) => Promise<void>;
  seen: () => Promise<Seen[]>;
  /** The same, once there are so many. */
  got: (count: number) => Promise<Seen[]>;
}

/** A host of its own. */
export function newReceiver(): Receiver {
  const origin = `https://${crypto.randomUUID()}.example`;
  const seen = async () => (await (await fetch(`${origin}/_seen`)).json()) as Seen[];
  return {
    url: `${origin}/hook`,
    answers: async (...answers) => {
      await fetch(`${origin}/_answers`, { method: "PUT", body: JSON.stringify(answers) });
    },
    release: async (status = 204) => {
      await fetch(`${origin}/_release`, { method: "POST", body: String(status) });
    },
    seen,
    got: (count) => until(seen, (all) => expect(all.length).toBeGreaterThanOrEqual(count)),
  };
}

/** Reads until what is read holds: sending goes on beside the requests of a test. */
export async function until<T>(read: () => Promise<T>, holds: (value: T) => unknown): Promise<T> {
  return vi.waitFor(
    async () => {
      const value = await read();
      holds(value);
      return value;
    },
    { interval: 20, timeout: 25_000 },
  );
}

export interface Subscribed {
  id: string;
  secret: string;
}

export async function subscribe(board: TestBoard, url: string, kinds?: string[] | null): Promise<Subscribed> {
  const body = { url, ...(kinds === undefined ? {} : { kinds }) };
  const { webhook, secret } = ok(await call(board.lead, "POST", `${board.path}/webhooks`, body), 201);
  return { id: webhook.id, secret };
}

export const webhookOf = async (board: TestBoard, id: string) => {
  const { webhooks } = ok(await call(board.lead, "GET", `${board.path}/webhooks`));
  return webhooks.find((webhook: { id: string }) => webhook.id === id);
};

/** The delivery log, oldest first. */
export async function deliveries(board: TestBoard, id: string, query = ""): Promise<Delivery[]> {
  const path = `${board.path}/webhooks/${id}/deliveries?limit=200${query}`;
  return ok(await call(board.lead, "GET", path)).deliveries.reverse();
}

/** The log once nothing in it waits for an answer any more: each delivery is settled or has failed. */
export function told(board: TestBoard, id: string): Promise<Delivery[]> {
  return until(
    () => deliveries(board, id),
    (log) => expect(log.filter((one) => one.state === "pending" && one.lastError === null)).toEqual([]),
  );
}

/** Makes every wait of this board look as if it were over, and lets the alarm ring. */
export async function later(board: TestBoard, byMs = 7_200_000): Promise<void> {
  await inside(board, ({ sql }) => {
    sql.run(
      "update webhook_deliveries set queued_at = queued_at - ?, next_attempt_at = next_attempt_at - ?",
      byMs,
      byMs,
    );
  });
  await runDurableObjectAlarm(board.stub());
}

/** The event in a request, if its signature holds. */
export function verified(secret: string, { body, headers }: Seen): BoardEvent & { board: string } {
  const message = new Webhook(secret).verify(body, headers) as { data: BoardEvent & { board: string } };
  return message.data;
}
