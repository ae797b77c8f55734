/** What has no route of its own: health, the reader, wrong paths and methods, ids, headers, failures below. */
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { BASE } from "../../src/contract/route.ts";
import { app } from "../../src/http/app.ts";
import { VERSION } from "../../src/http/version.ts";
import { PAGE_HEADERS } from "../../src/local/page-headers.ts";
import { call, newBoard, OPERATOR, ok, type Reply, refused } from "../support/api.ts";
import { ALL, pathOf, readReply, send } from "./support.ts";

afterEach(() => {
  vi.restoreAllMocks();
});

/** The Worker with parts of its environment replaced. */
async function within(replaced: object, token: string, path: string, init: RequestInit = {}): Promise<Reply> {
  const request = new Request(`https://edgeboard.test${BASE}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${token}`, ...init.headers },
  });
  return readReply(await app.fetch(request, { ...env, ...replaced }));
}

/** Boards whose every call fails like this. */
function failing(error: Error, marks: object = {}) {
  const fail = async () => {
    throw Object.assign(error, marks);
  };
  return { BOARDS: { getByName: () => new Proxy({}, { get: () => fail }) } };
}

it("healthz says that the Worker is up, and which version", async () => {
  const reply = await send("/healthz", {}, "");
  expect(ok(reply)).toEqual({ status: "ok", version: VERSION });
  expect((await send("/healthz", { method: "HEAD" }, "")).text).toBe("");
});

it("docs is a page that reads the published description", async () => {
  const reply = await send("/docs", {}, "");
  expect([reply.status, reply.headers.get("content-type")]).toEqual([200, "text/html; charset=UTF-8"]);
  expect(reply.text).toMatch(/^<!doctype html>/);
  expect(reply.text).toContain('<html lang="en">');
  expect(reply.text).not.toMatch(/https?:\/\//);
});

it("what is not there is a problem like any other, with or without a token", async () => {
  const board = await newBoard();
  const nowhere = [
    [BASE, "/nothing"],
    [BASE, "/boards/"],
    [BASE, `${board.path}/`],
    [BASE, `${board.path}/nothing`],
    [BASE, `${board.path}/tasks/n1/nothing`],
    [BASE, "/openapi.yaml"],
    ["/api/v2", "/boards"],
    ["", "/api"],
  ] as const;
  for (const [base, path] of nowhere)
    for (const method of ["GET", "POST", "DELETE"])
      for (const headers of [{}, { authorization: `Bearer ${board.lead}` }] as Record<string, string>[]) {
        const reply = await send(path, { method, headers }, base);
        expect(refused(reply, 404, "route_not_found")).toMatchObject({
          retryable: false,
          hint: "See /docs.",
        });
      }
});

it("a method a path does not know is told which it knows", async () => {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];
  for (const path of new Set(ALL.map((route) => route.path))) {
    const known = ALL.filter((route) => route.path === path).map(({ method }): string => method);
    for (const method of methods.filter((one) => !known.includes(one))) {
      const reply = await send(pathOf(ALL.find((route) => route.path === path) as never, {}), { method });
      refused(reply, 405, "method_not_allowed");
      expect([path, reply.headers.get("allow")?.split(", ").sort()]).toEqual([path, known.toSorted()]);
    }
  }
});

it("HEAD answers as GET does, without a body", async () => {
  const board = await newBoard();
  const headers = { authorization: `Bearer ${board.lead}` };
  const reply = await send(board.path, { method: "HEAD", headers });
  expect([reply.status, reply.text]).toEqual([200, ""]);
  expect((await send(board.path, { method: "HEAD" })).status).toBe(401);
});

describe("a request's id", () => {
  it("is given back as it came, in the header and in a problem", async () => {
    for (const id of ["abc-123", "A_b=", "x".repeat(128)]) {
      const reply = await call(OPERATOR, "GET", "/boards/none", undefined, { "x-request-id": id });
      expect([reply.headers.get("x-request-id"), refused(reply, 404, "board_not_found").requestId]).toEqual([
        id,
        id,
      ]);
      expect(
        (await call(OPERATOR, "GET", "/boards", undefined, { "x-request-id": id })).headers.get(
          "x-request-id",
        ),
      ).toBe(id);
    }
  });

  it("is made where none came, or one that could not be written to a log", async () => {
    const ids = new Set<string>();
    for (const id of [null, "", "two words", "a\tb", "x".repeat(129), "<b>", '"', "a,b"]) {
      const reply = await call(null, "GET", "/boards", undefined, id === null ? {} : { "x-request-id": id });
      const made = reply.headers.get("x-request-id") as string;
      expect(made).toMatch(/^[\w-]{36}$/);
      expect(reply.json.requestId).toBe(made);
      ids.add(made);
    }
    expect(ids.size).toBe(8);
  });

  it("stands in what a batch of beats says about each lease, too", async () => {
    const board = await newBoard();
    const id = "batch-1";
    const leases = [{ taskId: "n1", leaseToken: "old" }];
    const reply = await call(
      board.lead,
      "POST",
      `${board.path}/heartbeats`,
      { leases },
      { "x-request-id": id },
    );
    expect(ok(reply).results).toMatchObject([{ ok: false, code: "task_not_found", requestId: id }]);
  });
});

it("every kind of answer carries the headers that keep a browser safe", async () => {
  const board = await newBoard();
  vi.spyOn(console, "error").mockImplementation(() => {});
  const none = { limit: async () => ({ success: false }) };
  const mcp = { method: "POST", body: "{}", headers: { "content-type": "application/json" } };
  const large = {
    method: "POST",
    body: "x".repeat(300_000),
    headers: { authorization: `Bearer ${board.lead}` },
  };
  const replies: [number, Reply][] = [
    [200, await call(board.lead, "GET", board.path)],
    [200, await call(board.lead, "GET", `${board.path}/export`)],
    [201, await call(board.lead, "POST", `${board.path}/tasks`, { title: "a" })],
    [204, await call(null, "DELETE", "/session")],
    [400, await call(board.lead, "POST", `${board.path}/tasks`, {})],
    [401, await call(null, "GET", board.path)],
    [403, await call(board.lead, "GET", "/boards")],
    [404, await call(board.lead, "GET", `${board.path}/nothing`)],
    [404, await send("/assets/none.js", {}, "")],
    [405, await call(board.lead, "PUT", board.path)],
    [413, await send(`${board.path}/tasks`, large)],
    [426, await call(board.lead, "GET", `${board.path}/live`)],
    [429, await within({ TOKEN_LIMIT: none }, board.lead, board.path)],
    [500, await within(failing(new Error("x")), OPERATOR, board.path)],
    [503, await within(failing(new Error("x"), { overloaded: true }), OPERATOR, board.path)],
    [200, await send("/healthz", {}, "")],
    [200, await send("/docs", {}, "")],
    [200, await send("/openapi.json", {})],
    [401, await send("/mcp", mcp, "")],
    [
      400,
      await send("/mcp", { ...mcp, headers: { ...mcp.headers, authorization: `Bearer ${board.lead}` } }, ""),
    ],
  ];
  for (const [status, { headers, ...reply }] of replies) {
    expect(reply.status, reply.text.slice(0, 200)).toBe(status);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("strict-transport-security")).toMatch(/max-age=\d{7,}/);
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("content-security-policy")).toMatch(/default-src '(none|self)'/);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("content-security-policy")).not.toMatch(/script-src[^;]*(unsafe|\*)/);
  }
});

it("so do the files of the page, which are answered without us", () => {
  const [everywhere = ""] = PAGE_HEADERS.split("\n\n");
  expect(everywhere.startsWith("/*\n")).toBe(true);
  const headers = new Headers(
    [...everywhere.matchAll(/^ {2}([\w-]+): (.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("strict-transport-security")).toMatch(/max-age=\d{7,}/);
  expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  expect(headers.get("content-security-policy")).toMatch(/default-src 'self'.*frame-ancestors 'none'/);
  expect(headers.get("content-security-policy")).not.toMatch(/unsafe|script-src[^;]*\*/);
});

it("no answer of the interface is kept by a cache", async () => {
  const board = await newBoard();
  const made = await call(board.lead, "POST", `${board.path}/tokens`, { agentId: "a", role: "viewer" });
  const lost = await call(board.lead, "GET", `${board.path}/tasks/n9`);
  for (const reply of [
    made,
    lost,
    await call(board.lead, "GET", `${board.path}/tasks`),
    await call(null, "GET", "/me"),
  ])
    expect(reply.headers.get("cache-control")).toBe("no-store");
});

it("a refusal that is final says so and names no time to come again", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const task = await board.add({ title: "one" });
  await board.claim(task.id, board.lead);
  const path = `${board.path}/tasks/${task.id}`;
  const replies = [
    await call(worker, "POST", `${path}/claim`, {}),
    await call(worker, "POST", `${path}/release`, {}),
    await call(worker, "PATCH", path, { status: "done" }),
    await call(worker, "DELETE", path),
    await call(board.lead, "PATCH", path, { title: "x" }, { "if-match": '"9"' }),
    await call(board.lead, "POST", `${board.path}/tasks`, { title: "x", parentTaskId: "n9" }),
    await call(board.lead, "GET", `${board.path}/tasks/n9`),
    await call(board.lead, "POST", `${board.path}/tasks`, {}),
    await call(null, "GET", "/me"),
  ];
  expect(replies.map(({ status }) => status)).toEqual([409, 409, 409, 403, 412, 422, 404, 400, 401]);
  for (const reply of replies) {
    expect(reply.headers.get("retry-after")).toBeNull();
    expect(refused(reply, reply.status, reply.json.code).retryable).toBe(false);
    expect(reply.json.type).toContain(reply.json.code);
    expect(reply.json.title).toMatch(/^[A-Z]/);
  }
});

describe("what goes wrong below", () => {
  const seen: [string, object, number, string, string | null][] = [
    ["a board with too much to do", { overloaded: true }, 503, "board_overloaded", "unknown"],
    ["a board that could not be reached", { retryable: true }, 503, "board_unavailable", "unknown"],
    ["a board that was reset", { durableObjectReset: true }, 503, "board_unavailable", "unknown"],
    [
      "a board whose storage is full",
      { message: "database or disk is full: SQLITE_FULL" },
      507,
      "board_full",
      "nothing_changed",
    ],
  ];

  it.each(seen)("%s is told as that", async (_, marks, status, code, outcome) => {
    const replaced = failing(new Error("secret"), marks);
    const board = `/boards/${crypto.randomUUID()}`;
    for (const init of [
      {},
      { method: "POST", body: "{}", headers: { "content-type": "application/json" } },
    ]) {
      const path = init.method === "POST" ? `${board}/claims` : board;
      const reply = await within(replaced, OPERATOR, path, init);
      expect(refused(reply, status, code)).toMatchObject({ retryable: status === 503, outcome });
      expect(reply.headers.get("retry-after")).toEqual(
        status === 503 ? expect.stringMatching(/^\d+$/) : null,
      );
      expect(reply.text).not.toMatch(/secret|SQLITE/);
    }
  });

  it("a bug of ours is a 500 that tells nothing of what it was", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const error = new Error("select secret from tokens");
    const reply = await within(failing(error), OPERATOR, "/boards/any", {
      headers: { "x-request-id": "r-1" },
    });
    expect(refused(reply, 500, "internal")).toMatchObject({ retryable: false, requestId: "r-1" });
    expect(reply.headers.get("retry-after")).toBeNull();
    expect(reply.text).not.toMatch(/secret|select|\.ts/);
    expect(log).toHaveBeenCalledOnce();
    const [line] = log.mock.calls[0] as [string];
    expect(JSON.parse(line)).toMatchObject({ requestId: "r-1" });
    expect(line).not.toContain("secret");
  });

  it("too many requests, of a token or of an address, are told when to come again", async () => {
    const board = await newBoard();
    const keys: string[] = [];
    const none = { limit: async ({ key }: { key: string }) => ({ success: keys.push(key) === 0 }) };
    const byToken = await within({ TOKEN_LIMIT: none }, board.lead, board.path);
    const from = { "cf-connecting-ip": "192.0.2.7" };
    const byAddress = await within({ ADDRESS_LIMIT: none }, board.lead, "/nothing", { headers: from });
    for (const reply of [byToken, byAddress]) {
      expect(refused(reply, 429, "rate_limited").retryable).toBe(true);
      expect(reply.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
    expect(keys[1]).toBe("192.0.2.7");
    ok(await within({ TOKEN_LIMIT: none }, OPERATOR, board.path));
  });
});
