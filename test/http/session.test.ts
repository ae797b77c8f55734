/** Browsers: signed in by a token or a link, held by a cookie that other sites cannot use. */
import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import { CLOSE } from "../../src/contract/socket.ts";
import { call, newBoard, OPERATOR, ok, type Reply, refused, type TestBoard } from "../support/api.ts";
import { hold } from "../support/socket.ts";
import { forge, readReply } from "./support.ts";

const ORIGIN = "https://edgeboard.test";

async function send(method: string, path: string, headers: Record<string, string>, body?: unknown) {
  const response = await exports.default.fetch(`${ORIGIN}/api/v1${path}`, {
    method,
    headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.webSocket === null ? readReply(response) : { status: response.status };
}

const signIn = (body: unknown) => call(null, "POST", "/session", body);
const cookieOf = (reply: Reply) => reply.headers.get("set-cookie")?.split(";")[0] ?? "";

async function signedIn(board: TestBoard, role = "lead") {
  const token = await board.mint("ann", role);
  return { cookie: cookieOf(await signIn({ token })), origin: ORIGIN };
}

describe("signing in", () => {
  it("by a token answers who I am, and a cookie that only our own pages can use", async () => {
    const board = await newBoard();
    const token = await board.mint("ann", "viewer");
    const reply = await signIn({ token });
    expect(ok(reply)).toMatchObject({ agentId: "ann", role: "viewer", board: board.id });
    const [pair, ...attributes] = (reply.headers.get("set-cookie") ?? "").split("; ");
    expect(pair).toMatch(/^__Host-edgeboard=/);
    expect(attributes.sort()).toEqual(["HttpOnly", "Max-Age=43200", "Path=/", "SameSite=Strict", "Secure"]);
    expect(pair).not.toContain(token);
  });

  it("on this machine's own address goes without TLS, and so without its prefix", async () => {
    const at = (host: string) =>
      exports.default.fetch(`http://${host}/api/v1/session`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token: OPERATOR }),
      });
    for (const host of ["127.0.0.1:8787", "localhost:8787"]) {
      const set = (await at(host)).headers.get("set-cookie");
      expect(set).toMatch(/^edgeboard=/);
      expect(set).not.toContain("Secure");
    }
    expect((await at("board.example")).headers.get("set-cookie")).toMatch(/^__Host-edgeboard=.*Secure/);
  });

  it("lasts half a day, an operator's an hour, and none longer than its token", async () => {
    const board = await newBoard();
    const seconds = async (token: string) =>
      Number(/Max-Age=(\d+)/.exec((await signIn({ token })).headers.get("set-cookie") ?? "")?.[1]);
    expect(await seconds(board.lead)).toBe(43_200);
    expect(await seconds(OPERATOR)).toBe(3_600);
    const short = await seconds(await board.mint("ann", "worker", { expiresInS: 120 }));
    expect(short).toBeGreaterThan(110);
    expect(short).toBeLessThanOrEqual(120);
  });

  it("is refused to whoever has no good token or code", async () => {
    const board = await newBoard();
    const minted = ok(
      await call(board.lead, "POST", `${board.path}/tokens`, { agentId: "a", role: "lead" }),
      201,
    );
    ok(await call(board.lead, "DELETE", `${board.path}/tokens/${minted.info.id}`), 204);
    refused(await signIn({ token: minted.token }), 401, "token_revoked");
    refused(await signIn({ token: await forge(board.lead, { exp: 1 }) }), 401, "token_expired");
    refused(await signIn({ token: "nothing" }), 401, "unauthenticated");
    refused(await signIn({ code: "nothing" }), 401, "unauthenticated");
    for (const body of [{}, { token: "" }, { token: "a", code: "b" }, { token: 3 }])
      refused(await signIn(body), 400, "invalid_request");
  });
});

/** What a browser keeps of one cookie, name and value together; it drops what is longer without a word. */
const COOKIE_MAX_BYTES = 4_096;

describe("whatever somebody's token was minted with", () => {
  /** As much as may be, of what takes the most room within a token. */
  const longest = (length: number, last = "") => `${"\u0001".repeat(length - 1 - last.length)}${last}x`;
  const capabilities = Array.from({ length: 20 }, (_, n) => longest(64, String(n)));
  const traits = { runtime: longest(128), capabilities };

  it("a browser is signed in by it, or by a link, with a cookie that it keeps", async () => {
    const board = await newBoard();
    const agentId = longest(128);
    const minted = { agentId, role: "lead", ...traits };
    const { token } = ok(await call(board.lead, "POST", `${board.path}/tokens`, minted), 201);
    expect(token.length).toBeGreaterThan(10_000);
    const { code } = ok(await call(token, "POST", "/session/link"), 201);
    for (const way of [{ token }, { code }]) {
      const reply = await signIn(way);
      expect(ok(reply)).toMatchObject({ agentId, ...traits });
      const cookie = cookieOf(reply);
      expect(new TextEncoder().encode(cookie).length).toBeLessThan(COOKIE_MAX_BYTES / 2);
      expect(ok((await send("GET", "/me", { cookie })) as Reply)).toMatchObject({ agentId, ...traits });
    }
  });

  it("the session can do what the token can do", async () => {
    const board = await newBoard();
    const token = await board.mint("ann", "worker", traits);
    const task = await board.add({ title: "a", requiredCapabilities: [capabilities[7]] });
    const ann = { cookie: cookieOf(await signIn({ token })), origin: ORIGIN };
    const claimed = (await send("POST", `${board.path}/tasks/${task.id}/claim`, ann, {})) as Reply;
    expect(ok(claimed).task).toMatchObject({ assigneeAgentId: "ann", assigneeRuntime: traits.runtime });
  });
});

describe("a session", () => {
  it("is its token's: the same board, the same role, until the token is revoked", async () => {
    const [board, other] = [await newBoard(), await newBoard()];
    const minted = ok(
      await call(board.lead, "POST", `${board.path}/tokens`, { agentId: "ann", role: "worker" }),
      201,
    );
    const ann = { cookie: cookieOf(await signIn({ token: minted.token })), origin: ORIGIN };
    const made = (await send("POST", `${board.path}/tasks`, ann, { title: "by ann" })) as Reply;
    expect(ok(made, 201).task.createdBy).toBe("ann");
    refused((await send("GET", other.path, ann)) as Reply, 404, "board_not_found");
    refused((await send("GET", `${board.path}/export`, ann)) as Reply, 403, "forbidden");
    ok(await call(board.lead, "DELETE", `${board.path}/tokens/${minted.info.id}`), 204);
    refused((await send("GET", board.path, ann)) as Reply, 401, "token_revoked");
  });

  it("of the operator is good for boards", async () => {
    const operator = { cookie: cookieOf(await signIn({ token: OPERATOR })), origin: ORIGIN };
    expect(ok((await send("GET", "/me", operator)) as Reply)).toMatchObject({
      role: "operator",
      board: null,
    });
    ok((await send("GET", "/boards", operator)) as Reply);
  });

  it("writes and follows for our own pages only; reading shows nothing to another site anyway", async () => {
    const board = await newBoard();
    const { cookie } = await signedIn(board);
    const upgrade = { upgrade: "websocket" };
    for (const origin of [
      "https://evil.test",
      "null",
      "http://edgeboard.test",
      "https://edgeboard.test:8443",
      undefined,
    ]) {
      const from = { cookie, ...(origin === undefined ? {} : { origin }) };
      refused((await send("POST", `${board.path}/tasks`, from, { title: "x" })) as Reply, 403, "forbidden");
      refused((await send("DELETE", `${board.path}/tasks/n1`, from)) as Reply, 403, "forbidden");
      refused((await send("GET", `${board.path}/live`, { ...from, ...upgrade })) as Reply, 403, "forbidden");
      ok((await send("GET", board.path, from)) as Reply);
    }
    expect((await send("GET", `${board.path}/live`, { cookie, origin: ORIGIN, ...upgrade })).status).toBe(
      101,
    );
  });

  it("takes its sockets along when it ends, also where the token lives on", async () => {
    const board = await newBoard();
    const open = async (token: string) => {
      const session = { cookie: cookieOf(await signIn({ token })), origin: ORIGIN, upgrade: "websocket" };
      const response = await exports.default.fetch(`${ORIGIN}/api/v1${board.path}/live`, {
        headers: session,
      });
      return hold(response.webSocket as WebSocket);
    };
    const followers = [await open(OPERATOR), await open(board.lead)];
    const lasts = await runInDurableObject(board.stub(), (_board, state) =>
      state.getWebSockets().map((socket) => {
        const reader = socket.deserializeAttachment();
        socket.serializeAttachment({ ...reader, token: { ...reader.token, expiresAt: Date.now() } });
        return Math.round((reader.token.expiresAt - Date.now()) / 60_000);
      }),
    );
    expect(lasts.sort()).toEqual([60, 720]);
    await board.add({ title: "too late for both" });
    for (const follower of followers) {
      await follower.until(() => follower.closed !== null);
      expect([follower.closed?.code, follower.seqs()]).toEqual([CLOSE.token, []]);
    }
  });

  it("gives way to a token in the header, good or not", async () => {
    const board = await newBoard();
    const ann = await signedIn(board);
    const bearer = (token: string) => ({ ...ann, authorization: `Bearer ${token}` });
    expect(ok((await send("GET", "/me", bearer(OPERATOR))) as Reply).agentId).toBe("operator");
    refused((await send("GET", board.path, bearer("wrong"))) as Reply, 401, "unauthenticated");
  });

  it("ends with signing out, and is not a token, nor a token a session", async () => {
    const board = await newBoard();
    const ann = await signedIn(board);
    const out = (await send("DELETE", "/session", ann)) as Reply;
    expect(out.status).toBe(204);
    expect(out.headers.get("set-cookie")).toMatch(/^__Host-edgeboard=;.*Max-Age=0/);
    const value = ann.cookie.split("=")[1] ?? "";
    refused(await call(value, "GET", board.path), 401, "unauthenticated");
    const swapped = { cookie: `__Host-edgeboard=${board.lead}` };
    refused((await send("GET", board.path, swapped)) as Reply, 401, "unauthenticated");
    const old = await forge(value, { exp: 1 }, { typ: "session+jwt" });
    refused(
      (await send("GET", board.path, { cookie: `__Host-edgeboard=${old}` })) as Reply,
      401,
      "token_expired",
    );
    expect(Object.keys(decodeJwt(value)).sort()).toEqual(["board", "exp", "inc", "jti", "role", "sub"]);
  });
});

describe("a link", () => {
  it("signs in as whoever made it, once", async () => {
    const board = await newBoard();
    const link = ok(await call(board.lead, "POST", "/session/link"), 201);
    expect(link.url).toBe(`${ORIGIN}/#code=${link.code}`);
    expect(link.expiresAt - Date.now()).toBeLessThanOrEqual(60_000);
    const me = ok(await call(board.lead, "GET", "/me"));
    expect(ok(await signIn({ code: link.code }))).toEqual(me);
    refused(await signIn({ code: link.code }), 401, "unauthenticated");
  });

  it("is good once also when twenty try it together, and not after its minute", async () => {
    const code = ok(await call(OPERATOR, "POST", "/session/link"), 201).code;
    const replies = await Promise.all(Array.from({ length: 20 }, () => signIn({ code })));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const late = ok(await call(OPERATOR, "POST", "/session/link"), 201).code;
    await runInDurableObject(env.DIRECTORY.getByName("directory"), (_directory, state) => {
      state.storage.sql.exec("update session_codes set expires_at = expires_at - 60000");
      expect(JSON.stringify(state.storage.sql.exec("select * from session_codes").toArray())).not.toContain(
        late,
      );
    });
    refused(await signIn({ code: late }), 401, "unauthenticated");
  });

  it("is a lead's to make", async () => {
    const board = await newBoard();
    refused(await call(await board.mint("ann", "verifier"), "POST", "/session/link"), 403, "forbidden");
    refused(await call(null, "POST", "/session/link"), 401, "unauthenticated");
    const minted = ok(
      await call(board.lead, "POST", `${board.path}/tokens`, { agentId: "bob", role: "lead" }),
      201,
    );
    ok(await call(board.lead, "DELETE", `${board.path}/tokens/${minted.info.id}`), 204);
    refused(await call(minted.token, "POST", "/session/link"), 401, "token_revoked");
  });
});
