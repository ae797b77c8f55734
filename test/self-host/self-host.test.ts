/** `dist/self-host`, started for real: nothing runs but the runtime, on what `npm run build:self-host` writes. */

import { SignJWT } from "jose";
import { WebSocket } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PAGE_HEADERS } from "../../src/local/page-headers.ts";
import { type Machine, newMachine, OPERATOR, TOKEN_LIMIT } from "./machine.ts";

/** The briefest a board may have: its alarm is due a second and a half after a claim. */
const BRIEF = { leaseTtlMs: 1_000, beatEveryMs: 200, sweepEveryMs: 500 };

let machine: Machine;

beforeAll(async () => {
  machine = await newMachine();
  await machine.start();
}, 120_000);

afterAll(() => machine.remove());

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
async function call(method: string, path: string, body?: object, token = OPERATOR): Promise<any> {
  const answer = await fetch(`${machine.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status, `${method} ${path}`).toBeLessThan(300);
  return answer.json();
}

const page = (path: string, init: RequestInit = {}) => fetch(machine.url + path, init);

/** The events of a board as its socket tells them, up to the one that is waited for. */
async function untilEvent(board: string, token: string, kind: string): Promise<void> {
  const address = `${machine.url.replace("http", "ws")}/api/v1/boards/${board}/live?after=0`;
  const socket = new WebSocket(address, { headers: { authorization: `Bearer ${token}` } });
  await new Promise<void>((resolve, reject) => {
    socket.onerror = () => reject(new Error("no socket"));
    socket.onmessage = ({ data }) => {
      const told = JSON.parse(String(data)) as { type: string; events?: { kind: string }[] };
      if (told.events?.some((event) => event.kind === kind)) resolve();
    };
  });
  socket.close();
}

describe("the page", () => {
  it("opens at its root and at every path of its own, with the headers that the platform would give it", async () => {
    for (const path of ["/", "/b/demo/tasks/1", "/_headers", "/docs-reader"]) {
      const answer = await page(path);
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(await answer.text()).toContain("<title>Edgeboard</title>");
      expect(answer.headers.get("cache-control")).toBe("no-cache");
      expect(PAGE_HEADERS).toContain(
        `  Content-Security-Policy: ${answer.headers.get("content-security-policy")}`,
      );
    }
  });

  it("loads files that are kept for good, and asks whether index.html has changed", async () => {
    const index = await page("/");
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(await index.text()) ?? [];
    const file = await page(script as string);
    expect(file.headers.get("content-type")).toMatch(/^text\/javascript/);
    expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect((await file.text()).length).toBeGreaterThan(1_000);
    const again = await page("/", { headers: { "if-none-match": index.headers.get("etag") as string } });
    expect(again.status).toBe(304);
  });

  it("has nothing below /assets but what is there, and takes nothing in", async () => {
    const missing = await page("/assets/from-another-day.js");
    expect(missing.status).toBe(404);
    expect(missing.headers.get("content-type")).toBe("application/problem+json");
    expect((await page("/", { method: "POST" })).status).toBe(405);
    expect((await page("/b/%2e%2e%2f%2e%2e%2fconfig.capnp")).headers.get("content-type")).toMatch(
      /^text\/html/,
    );
  });
});

it("limits a token and not another one", async () => {
  const { token } = await call("POST", "/boards", { name: "flood" });
  const other = await call("POST", "/boards", { name: "calm" });
  const statuses = async (bearer: string, times: number) => {
    const asked = Array.from({ length: times }, () =>
      page("/api/v1/me", { headers: { authorization: `Bearer ${bearer}` } }),
    );
    return new Set((await Promise.all(asked)).map(({ status }) => status));
  };
  // Two windows may share them, and three limits' worth does not fit into two.
  expect(await statuses(token, 3 * TOKEN_LIMIT)).toContain(429);
  expect(await statuses(other.token, 5)).toEqual(new Set([200]));
}, 30_000);

it("a silent holder's task is taken back by the alarm, and a socket tells of it", async () => {
  const { board, token } = await call("POST", "/boards", { name: "silent", settings: BRIEF });
  const { task } = await call("POST", `/boards/${board.id}/tasks`, { title: "one" }, token);
  await call("POST", `/boards/${board.id}/tasks/${task.id}/claim`, {}, token);
  await untilEvent(board.id, token, "task_released");
  const after = await call("GET", `/boards/${board.id}/tasks/${task.id}`, undefined, token);
  expect(after.task).toMatchObject({ status: "todo", lease: null, epoch: 1 });
}, 30_000);

it("what was acknowledged is there after a kill, and what was due meanwhile happens", async () => {
  const { board, token } = await call("POST", "/boards", { name: "killed", settings: BRIEF });
  const path = `/boards/${board.id}`;
  const held = await call("POST", `${path}/tasks`, { title: "held" });
  await call("POST", `${path}/tasks/${held.task.id}/claim`, {});
  const acknowledged: string[] = [];
  const writers = [1, 2, 3, 4].map(async (writer) => {
    for (let n = 0; ; n++) {
      const made = await call("POST", `${path}/tasks`, { title: `${writer}.${n}` }).catch(() => null);
      if (made === null) return;
      acknowledged.push(made.task.id);
      if (acknowledged.length === 40) await machine.kill();
    }
  });
  await Promise.all(writers);
  await machine.start();
  expect(acknowledged.length).toBeGreaterThanOrEqual(40);
  for (const id of acknowledged) await call("GET", `${path}/tasks/${id}`);
  await untilEvent(board.id, token, "task_released");
  expect(await call("GET", `${path}/tasks/${held.task.id}`)).toMatchObject({
    task: { status: "todo", lease: null },
  });
}, 30_000);

it("says that it has no jurisdictions, and has room for a board all the same", async () => {
  const answer = await page("/api/v1/boards", {
    method: "POST",
    headers: { authorization: `Bearer ${OPERATOR}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "placed", jurisdiction: "eu" }),
  });
  expect(await answer.json()).toMatchObject({
    status: 400,
    detail: "This runtime has no jurisdictions: a board may be anywhere or nowhere.",
  });
});

it("a key that is not set signs nothing", async () => {
  const claims = { sub: "x", board: "b", inc: "i", role: "lead", jti: "j" };
  for (const nothing of ["null", "undefined"]) {
    const forged = await new SignJWT(claims)
      .setProtectedHeader({ alg: "HS256", typ: "edgeboard+jwt" })
      .sign(new TextEncoder().encode(nothing));
    const answer = await page("/api/v1/me", { headers: { authorization: `Bearer ${forged}` } });
    expect(await answer.json()).toMatchObject({ status: 401, code: "unauthenticated" });
  }
});

it("it does not start without secrets, or with weak ones, and says which", async () => {
  const strong = "s".repeat(32);
  expect(await machine.refusal({})).toMatchObject({ code: 1 });
  for (const [secrets, name] of [
    [{ EDGEBOARD_SIGNING_KEY: strong }, "EDGEBOARD_OPERATOR_TOKEN"],
    [{ EDGEBOARD_OPERATOR_TOKEN: strong, EDGEBOARD_SIGNING_KEY: "short" }, "EDGEBOARD_SIGNING_KEY"],
  ] as const) {
    const { code, words } = await machine.refusal({ ...secrets });
    expect(code).toBe(1);
    expect(words).toMatch(new RegExp(`^${name} has to have 32 characters or more`));
  }
});
