/** Boards that have said that they have too much to do, as the Worker remembers it. */
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { OVERLOAD_REST_MS, REQUEST_MAX_MS } from "../../src/contract/limits.ts";
import { BASE } from "../../src/contract/route.ts";
import { app } from "../../src/http/app.ts";
import { OPERATOR, type Reply, refused } from "../support/api.ts";
import { readReply } from "./support.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

let asked: string[] = [];

/** Boards that fail like this, and the names of those that were asked. */
function boards(fail: () => Promise<never>) {
  asked = [];
  const getByName = (name: string) => {
    asked.push(name);
    return new Proxy({}, { get: () => fail });
  };
  return { BOARDS: { getByName } };
}

async function send(replaced: object, method: string, path: string): Promise<Reply> {
  const headers = { authorization: `Bearer ${OPERATOR}`, "content-type": "application/json" };
  const request = new Request(`https://edgeboard.test${BASE}${path}`, {
    method,
    headers,
    ...(method === "GET" ? {} : { body: "{}" }),
  });
  return readReply(await app.fetch(request, { ...env, ...replaced }));
}

const overloaded = async () => {
  throw Object.assign(new Error("busy"), { overloaded: true });
};

it("reads of a board that is overloaded are refused without asking it, for a moment; writes still ask", async () => {
  const id = crypto.randomUUID();
  const busy = boards(overloaded);
  refused(await send(busy, "POST", `/boards/${id}/claims`), 503, "board_overloaded");
  expect(asked).toEqual([id]);
  const read = await send(busy, "GET", `/boards/${id}/tasks`);
  expect(refused(read, 503, "board_overloaded")).toMatchObject({ outcome: "nothing_changed" });
  expect(read.headers.get("retry-after")).toBe("2");
  expect(asked).toEqual([id]);
  refused(await send(busy, "POST", `/boards/${id}/claims`), 503, "board_overloaded");
  expect(asked).toEqual([id, id]);
  vi.setSystemTime(Date.now() + OVERLOAD_REST_MS);
  await send(busy, "GET", `/boards/${id}/tasks`);
  expect(asked).toEqual([id, id, id]);
});

it("another board is asked as ever", async () => {
  const [one, other] = [crypto.randomUUID(), crypto.randomUUID()];
  const busy = boards(overloaded);
  await send(busy, "GET", `/boards/${one}`);
  await send(busy, "GET", `/boards/${other}`);
  expect(asked).toEqual([one, other]);
});

it("a request that is never answered is given up, and its client told that nobody knows", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  const silent = boards(() => new Promise<never>(() => {}));
  const reply = send(silent, "POST", `/boards/${crypto.randomUUID()}/claims`);
  await vi.waitUntil(() => asked.length > 0);
  await vi.advanceTimersByTimeAsync(REQUEST_MAX_MS);
  expect(refused(await reply, 503, "board_unavailable")).toMatchObject({
    outcome: "unknown",
    retryable: true,
  });
});
