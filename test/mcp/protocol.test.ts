/** The edges of the endpoint: who is let in, what is a message, and which revision it is of. */
import { env, exports } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { connectBlocks } from "../../src/contract/connect.ts";
import { app } from "../../src/http/app.ts";
import { newBoard, OPERATOR, refused, type TestBoard } from "../support/api.ts";
import { ask, does, LEGACY, legacy, MODERN, modern, pathOf, post } from "./client.ts";

let made: Promise<{ board: TestBoard; worker: string }> | undefined;

/** One board for all: nothing here depends on what is on it. */
function scene() {
  made ??= (async () => {
    const board = await newBoard();
    return { board, worker: await board.mint("agent") };
  })();
  return made;
}

describe("who is let in", () => {
  it("nobody without a good token, by whatever method and with whatever body", async () => {
    const { board } = await scene();
    for (const method of ["POST", "GET", "DELETE", "PUT", "OPTIONS"])
      for (const path of ["/mcp", pathOf(board)])
        for (const token of [null, "garbage"]) {
          const reply = await post(token, "not json", { origin: "https://evil.example" }, path, method);
          refused(reply, 401, "unauthenticated");
          expect(reply.headers.get("www-authenticate")).toBe('Bearer realm="edgeboard"');
        }
  });

  it("a board's token, on its own board, by either path", async () => {
    const { board, worker } = await scene();
    const { body, headers } = modern("tools/list");
    expect((await post(worker, body, headers)).status).toBe(200);
    expect((await post(worker, body, headers, pathOf(board))).status).toBe(200);
    const other = await newBoard();
    refused(await post(worker, body, headers, pathOf(other)), 404, "board_not_found");
  });

  it("the operator on a board that is named, and only there", async () => {
    const { board } = await scene();
    const task = await board.add({ title: "seen by the operator" });
    const { body, headers } = modern("tools/call", {
      name: "get_task",
      arguments: { task_id: `n${task.number}` },
    });
    const reply = await post(OPERATOR, body, headers, pathOf(board));
    expect(reply.json.result.structuredContent.task.title).toBe("seen by the operator");
    const refusal = refused(await post(OPERATOR, body, headers), 400, "invalid_request");
    expect(refusal.hint).toContain("/boards/<board>/mcp");
  });

  it("no page of another origin; clients that are no browsers name none", async () => {
    const { worker } = await scene();
    const { body, headers } = modern("tools/list");
    for (const origin of ["https://evil.example", "http://edgeboard.test", "null"])
      refused(await post(worker, body, { ...headers, origin }), 403, "forbidden");
    expect((await post(worker, body, { ...headers, origin: "https://edgeboard.test" })).status).toBe(200);
    // A name that somebody points at this machine is not its own.
    for (const [own, status] of [
      ["http://evil.example", 403],
      ["http://127.0.0.1:8787", 200],
      ["http://localhost:8787", 200],
    ] as const)
      expect((await post(worker, body, { ...headers, origin: own }, `${own}/mcp`)).status).toBe(status);
  });

  it("a browser that is signed in, from our own pages", async () => {
    const { worker } = await scene();
    const signedIn = await post(null, { token: worker }, {}, "/api/v1/session");
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    const { body, headers } = modern("tools/list");
    refused(await post(null, body, { ...headers, cookie }), 403, "forbidden");
    const origin = "https://edgeboard.test";
    expect((await post(null, body, { ...headers, cookie, origin })).status).toBe(200);
  });

  it("POST alone, as there is no stream and no session", async () => {
    const { worker } = await scene();
    for (const method of ["GET", "DELETE", "PUT", "PATCH", "OPTIONS"]) {
      const reply = await post(worker, {}, {}, "/mcp", method);
      refused(reply, 405, "method_not_allowed");
      expect(reply.headers.get("allow")).toBe("POST");
    }
  });

  it("256 KiB and no more", async () => {
    const { worker } = await scene();
    const { body, headers } = modern("tools/list");
    const padded = (bytes: number) => JSON.stringify(body).padEnd(bytes, " ");
    expect((await post(worker, padded(262_144), headers)).status).toBe(200);
    refused(await post(worker, padded(262_145), headers), 413, "body_too_large");
  });

  it("no more often than REST lets it, by token and by address", async () => {
    const { worker } = await scene();
    const full = { limit: async () => ({ success: false }) };
    const request = () => {
      const { body, headers } = modern("tools/list");
      return new Request("https://edgeboard.test/mcp", {
        method: "POST",
        headers: { ...headers, authorization: `Bearer ${worker}`, "cf-connecting-ip": "203.0.113.1" },
        body: JSON.stringify(body),
      });
    };
    for (const replaced of [{ TOKEN_LIMIT: full }, { ADDRESS_LIMIT: full }]) {
      const reply = await app.fetch(request(), { ...env, ...replaced });
      expect([reply.status, reply.headers.get("retry-after")]).toEqual([429, "10"]);
    }
  });

  it("is told where OAuth is looked for: nowhere, in JSON", async () => {
    for (const path of ["oauth-protected-resource", "oauth-protected-resource/mcp", "openid-configuration"])
      refused(
        await post(null, {}, { "sec-fetch-mode": "navigate" }, `/.well-known/${path}`, "GET"),
        404,
        "route_not_found",
      );
  });
});

describe("what is a message", () => {
  it.each([
    ["", -32700],
    ["{", -32700],
    ["[]", -32600],
    [JSON.stringify([legacy("ping").body]), -32600],
    ['"text"', -32600],
    ["{}", -32600],
  ])("%j is none", async (text, code) => {
    const { worker } = await scene();
    const reply = await post(worker, text);
    expect([reply.status, reply.json.error.code]).toEqual([400, code]);
  });

  it("it is JSON, and says so", async () => {
    const { worker } = await scene();
    const { body } = legacy("ping");
    expect((await post(worker, body, { "content-type": "text/plain" })).status).toBe(415);
  });

  it("what the manual has curl send is one", async () => {
    const { worker } = await scene();
    const [{ text = "" } = {}] = connectBlocks("curl", { origin: "https://edgeboard.test" });
    const response = await exports.default.fetch("https://edgeboard.test/mcp", {
      method: "POST",
      headers: { authorization: `Bearer ${worker}`, "content-type": "application/json" },
      body: /-d '(.*)'$/.exec(text)?.[1] ?? "",
    });
    const { result } = await response.json<{ result: { structuredContent: { tasks: unknown[] } } }>();
    expect(result.structuredContent.tasks).toBeInstanceOf(Array);
  });

  it("a notification is taken without a word", async () => {
    const { worker } = await scene();
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    const reply = await post(worker, note, { "mcp-protocol-version": LEGACY });
    expect([reply.status, reply.text]).toEqual([202, ""]);
  });
});

describe.each([
  ["2026-07-28", modern],
  ["2025-11-25", legacy],
])("%s", (_revision, era) => {
  it("answers in JSON, without a session, and nothing is kept on the way", async () => {
    const { worker } = await scene();
    for (const accept of ["application/json", "application/json, text/event-stream", "*/*"]) {
      const { body, headers } = era("tools/list");
      const reply = await post(worker, body, { ...headers, accept, "mcp-session-id": "old" });
      expect(reply.status).toBe(200);
      expect(reply.headers.get("content-type")).toContain("application/json");
      expect(reply.headers.get("mcp-session-id")).toBeNull();
      expect(reply.headers.get("cache-control")).toBe("no-store");
    }
  });

  it("has the same tools, and a call of one works", async () => {
    const { worker } = await scene();
    const { tools } = (await ask(worker, "tools/list", {}, era)).json.result;
    const other = (await ask(worker, "tools/list", {}, modern)).json.result;
    expect(tools).toEqual(other.tools);
    expect((await does(worker, "list_tasks", { limit: 1 }, era)).tasks.length).toBeLessThan(2);
  });

  it("a tool nobody has is an error of the protocol, arguments that do not fit are one of the tool", async () => {
    const { worker } = await scene();
    const missing = await ask(worker, "tools/call", { name: "drop_board", arguments: {} }, era);
    expect(missing.json.error.code).toBe(-32602);
    const reply = await ask(worker, "tools/call", { name: "get_task", arguments: { taskId: "n1" } }, era);
    const { isError, content } = reply.json.result;
    expect(isError).toBe(true);
    expect(content[0].text).toMatch(/^invalid_request: .*task_id: .*taskId: is not known/);
  });

  it("an unknown method is -32601", async () => {
    const { worker } = await scene();
    expect((await ask(worker, "tools/forget", {}, era)).json.error.code).toBe(-32601);
  });
});

describe("what goes wrong below", () => {
  /** A call of a tool on boards whose every call fails like this. */
  async function failing(error: Error, marks: object = {}): Promise<string> {
    const { worker } = await scene();
    const fail = async () => {
      throw Object.assign(error, marks);
    };
    const BOARDS = { getByName: () => new Proxy({}, { get: () => fail }) };
    const { body, headers } = modern("tools/call", { name: "claim_task", arguments: {} });
    const request = new Request("https://edgeboard.test/mcp", {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${worker}`, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const reply = await app.fetch(request, { ...env, BOARDS });
    const { result } = await reply.json<{ result: { isError: boolean; content: { text: string }[] } }>();
    expect([reply.status, result.isError]).toEqual([200, true]);
    return result.content[0]?.text ?? "";
  }

  it("in a board that does not answer is told, with how to ask again", async () => {
    expect(await failing(new Error("lost"), { retryable: true })).toMatch(
      /^board_unavailable: .*Wait 2 s, then send the same call again, with the same client_key/,
    );
    expect(await failing(new Error("busy"), { overloaded: true })).toMatch(/^board_overloaded: /);
  });

  it("in our own code is written down, and tells nothing", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    expect(await failing(new Error("select secret from tasks"))).toMatch(
      /^internal: Something went wrong here/,
    );
    expect(log).toHaveBeenCalledTimes(1);
    expect(String(log.mock.calls[0])).not.toContain("secret");
    log.mockRestore();
  });
});

describe("2026-07-28", () => {
  it("is discovered: revisions, instructions, and how long to remember them", async () => {
    const { worker } = await scene();
    const { result } = (await ask(worker, "server/discover")).json;
    expect(result.supportedVersions).toContain(MODERN);
    expect(result.capabilities).toEqual({ tools: { listChanged: false } });
    expect(result.instructions).toContain("claim_task");
    expect(result.instructions.length).toBeLessThan(1_200);
    expect(result).toMatchObject({ resultType: "complete", ttlMs: 300_000, cacheScope: "public" });
    const list = (await ask(worker, "tools/list")).json.result;
    expect(list).toMatchObject({ resultType: "complete", ttlMs: 300_000, cacheScope: "public" });
  });

  it.each<[string, Record<string, string>]>([
    ["another method", { "mcp-method": "ping" }],
    ["no method", { "mcp-method": "" }],
    ["another name", { "mcp-name": "get_task" }],
  ])("headers that say %s than the body are refused", async (_what, wrong) => {
    const { worker } = await scene();
    const { body, headers } = modern("tools/call", { name: "list_tasks", arguments: {} });
    const given = Object.fromEntries(Object.entries({ ...headers, ...wrong }).filter(([, value]) => value));
    const reply = await post(worker, body, given);
    expect([reply.status, reply.json.error.code]).toEqual([400, -32020]);
  });

  it("says which revisions there are to one that asks for another", async () => {
    const { worker } = await scene();
    const { body, headers } = modern("tools/list");
    const meta = {
      ...(body.params["_meta"] as object),
      "io.modelcontextprotocol/protocolVersion": "2030-01-01",
    };
    const reply = await post(
      worker,
      { ...body, params: { _meta: meta } },
      { ...headers, "mcp-protocol-version": "2030-01-01" },
    );
    expect([reply.status, reply.json.error.code]).toEqual([400, -32022]);
    expect(reply.json.error.data.supported).toContain(MODERN);
  });

  it("wants to be told what the client can", async () => {
    const { worker } = await scene();
    const { body, headers } = modern("tools/list");
    const reply = await post(worker, { ...body, params: {} }, headers);
    expect([reply.status, reply.json.error.code]).toEqual([400, -32602]);
  });

  it("opens no stream of changes, as nothing changes", async () => {
    const { worker } = await scene();
    const reply = await ask(worker, "subscriptions/listen", { notifications: {} });
    expect(reply.json.error.code).toBe(-32603);
  });
});

describe("2025", () => {
  it.each(["2025-11-25", "2025-06-18", "2025-03-26"])("%s is agreed on", async (protocolVersion) => {
    const { worker } = await scene();
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: "old", version: "1" } };
    const { body } = legacy("initialize", params);
    const { result } = (await post(worker, body)).json;
    expect(result.protocolVersion).toBe(protocolVersion);
    expect(result.serverInfo.name).toBe("edgeboard");
    expect(result.instructions).toContain("claim_task");
  });

  it("a client that names another revision than was agreed on is served all the same", async () => {
    const { worker } = await scene();
    const { body } = legacy("tools/list");
    for (const version of ["2025-03-26", "2025-11-25"])
      expect((await post(worker, body, { "mcp-protocol-version": version })).status).toBe(200);
    expect((await post(worker, body)).status).toBe(200);
  });
});
