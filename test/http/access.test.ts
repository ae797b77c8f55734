/** People whom Cloudflare Access let in, where a deployment says so, and everybody else whom it did not. */
import { env } from "cloudflare:workers";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { app } from "../../src/http/app.ts";
import { call, newBoard, OPERATOR, ok, refused, type TestBoard } from "../support/api.ts";
import { readReply } from "./support.ts";

const ORIGIN = "https://edgeboard.test";
const AUD = "0123456789abcdef";

/** Keys are kept for as long as a team is known, so each test has a team of its own. */
let team = "";
let pair: Awaited<ReturnType<typeof generateKeyPair>>;
let published: { kid: string; key: CryptoKey }[] = [];
let asked = 0;
let down: Response | "no answer" | null = null;
let board: TestBoard;

beforeAll(async () => {
  pair = await generateKeyPair("RS256", { extractable: true });
  board = await newBoard();
});

beforeEach(() => {
  team = `t${crypto.randomUUID().slice(0, 8)}.cloudflareaccess.com`;
  published = [{ kid: "one", key: pair.publicKey }];
  asked = 0;
  down = null;
  vi.spyOn(console, "warn").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input) => {
    expect(String(input)).toBe(`https://${team}/cdn-cgi/access/certs`);
    asked++;
    if (down === "no answer") throw new TypeError("fetch failed");
    if (down !== null) return down;
    const keys = await Promise.all(
      published.map(async ({ kid, key }) => ({ kid, alg: "RS256", ...(await exportJWK(key)) })),
    );
    return Response.json({ keys });
  });
});

afterEach(() => {
  vi.restoreAllMocks();
});

const configured = (rest: object = {}) => ({
  EDGEBOARD_ACCESS_TEAM: team,
  EDGEBOARD_ACCESS_AUD: AUD,
  ...rest,
});
const LEADS = { EDGEBOARD_ACCESS_LEADS: "Ann@Acme.example, @leads.example" };

function assertion(
  claims: JWTPayload = {},
  { kid = "one", key = pair.privateKey as CryptoKey | Uint8Array, alg = "RS256" } = {},
) {
  return new SignJWT({
    iss: `https://${team}`,
    aud: [AUD],
    email: "ben@acme.example",
    type: "app",
    exp: Math.floor(Date.now() / 1000) + 600,
    ...claims,
  })
    .setProtectedHeader({ alg, kid })
    .sign(key);
}

async function ask(
  path: string,
  headers: Record<string, string>,
  init: RequestInit = {},
  bindings: object = configured(LEADS),
) {
  const request = new Request(`${ORIGIN}/api/v1${path}`, {
    ...init,
    headers: { ...headers, ...init.headers },
  });
  const response = await app.fetch(request, { ...env, ...bindings });
  return response.webSocket === null
    ? readReply(response)
    : { ...(await readReply(new Response())), status: response.status };
}
const by = (jwt: string) => ({ "cf-access-jwt-assertion": jwt });
const json = (body: unknown): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  headers: { "content-type": "application/json", origin: ORIGIN },
});

describe("who Access let in", () => {
  it("may look at every board, under the name of the mail", async () => {
    const ben = by(await assertion({ email: "Ben@Acme.example" }));
    const me = ok(await ask("/me", ben));
    expect(me).toMatchObject({ agentId: "ben@acme.example", role: "viewer", board: null });
    expect(me.signOutUrl).toBe("/cdn-cgi/access/logout");
    expect(me.expiresAt).toBeGreaterThan(Date.now());
    expect(ok(await ask(board.path, ben)).board.id).toBe(board.id);
    expect(ok(await ask("/boards?limit=200", ben)).boards.length).toBeGreaterThan(0);
    refused(await ask(`${board.path}/tasks`, ben, json({ title: "no" })), 403, "forbidden");
    refused(await ask("/boards", ben, json({ name: "no" })), 403, "forbidden");
  });

  it.each(["ann@acme.example", "eve@leads.example"])(
    "leads every board as %s, and the log says who it was",
    async (mail) => {
      const lead = by(await assertion({ email: mail }));
      const { task } = ok(await ask(`${board.path}/tasks`, lead, json({ title: "By a person" })), 201);
      expect(task.createdBy).toBe(mail);
      ok(await ask(board.path, lead, { ...json({ paused: true }), method: "PATCH" }));
      ok(await ask(board.path, lead, { ...json({ paused: false }), method: "PATCH" }));
      const [entry] = ok(await call(board.lead, "GET", `${board.path}/audit?kind=board_changed`)).entries;
      expect(entry.actorId).toBe(mail);
      refused(await ask("/boards", lead, json({ name: "no" })), 403, "forbidden");
      refused(await ask("/session/link", lead, json({})), 403, "forbidden");
    },
  );

  it("is no lead by the end of somebody else's domain", async () => {
    for (const email of [
      "eve@notleads.example",
      "eve@leads.example.evil.example",
      "ann@acme.example.evil.example",
    ])
      expect(ok(await ask("/me", by(await assertion({ email })))).role).toBe("viewer");
  });

  it("writes and follows from our own pages only, as with a cookie", async () => {
    const lead = by(await assertion({ email: "ann@acme.example" }));
    for (const origin of [undefined, "https://evil.example", "null"]) {
      const from = { ...lead, ...(origin === undefined ? {} : { origin }) };
      const { headers: _, ...write } = json({ title: "x" });
      refused(
        await ask(`${board.path}/tasks`, { ...from, "content-type": "application/json" }, write),
        403,
        "forbidden",
      );
      refused(await ask(`${board.path}/live`, { ...from, upgrade: "websocket" }), 403, "forbidden");
    }
    expect((await ask(`${board.path}/live`, { ...lead, origin: ORIGIN, upgrade: "websocket" })).status).toBe(
      101,
    );
  });

  it("gives way to a token in the header, good or not, and to who signed in here", async () => {
    const ben = by(await assertion());
    expect(ok(await ask("/me", { ...ben, authorization: `Bearer ${board.lead}` })).agentId).toBe("lead");
    refused(await ask("/me", { ...ben, authorization: "Bearer nothing" }), 401, "unauthenticated");
    const signedIn = await call(null, "POST", "/session", { token: await board.mint("cem") });
    const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
    expect(ok(await ask("/me", { ...ben, cookie })).agentId).toBe("cem");
    expect(ok(await ask("/me", { ...ben, cookie: "__Host-edgeboard=ended" })).agentId).toBe(
      "ben@acme.example",
    );
  });
});

describe("nobody is let in", () => {
  const refusals: [string, () => Promise<string>, string][] = [
    ["from another team", () => assertion({ iss: "https://other.cloudflareaccess.com" }), "unauthenticated"],
    ["for another application", () => assertion({ aud: ["fedcba9876543210"] }), "unauthenticated"],
    ["whose time is over", () => assertion({ exp: Math.floor(Date.now() / 1000) - 60 }), "token_expired"],
    ["without an end", () => assertion({ exp: undefined as never }), "unauthenticated"],
    ["by a key that is not published", () => assertion({}, { kid: "two" }), "unauthenticated"],
    [
      "by another key of that name",
      async () => assertion({}, { key: (await generateKeyPair("RS256")).privateKey }),
      "unauthenticated",
    ],
    [
      "who has no mail, such as a service",
      () => assertion({ email: undefined, common_name: "ci" }),
      "unauthenticated",
    ],
    ["with something that is no token", async () => "nothing", "unauthenticated"],
    [
      "by the public key taken for a secret",
      async () =>
        assertion(
          {},
          { alg: "HS256", key: new TextEncoder().encode(JSON.stringify(await exportJWK(pair.publicKey))) },
        ),
      "unauthenticated",
    ],
    ["by a board's token", async () => board.lead, "unauthenticated"],
  ];

  it.each(refusals)("%s", async (_who, make, code) => {
    refused(await ask("/me", by(await make())), 401, code);
  });

  it("without a signature at all", async () => {
    const [, claims] = (await assertion()).split(".");
    const none = btoa(JSON.stringify({ alg: "none", kid: "one" })).replace(/=+$/, "");
    refused(await ask("/me", by(`${none}.${claims}.`)), 401, "unauthenticated");
  });

  it.each<[string, () => Response | "no answer"]>([
    ["does not answer", () => "no answer"],
    ["answers with a failure", () => new Response("no", { status: 500 })],
    ["answers with something else", () => Response.json({ nothing: true })],
  ])("while Access %s: that may be asked again", async (_what, how) => {
    down = how();
    const problem = refused(await ask("/me", by(await assertion())), 503, "sign_in_unavailable");
    expect(problem.retryable).toBe(true);
    down = null;
    ok(await ask("/me", by(await assertion())));
  });

  it.each([
    ["nothing is configured", {}],
    ["only the team is", { EDGEBOARD_ACCESS_TEAM: "acme.cloudflareaccess.com" }],
    ["only the audience is", { EDGEBOARD_ACCESS_AUD: AUD }],
  ])("while %s: the header is as good as none", async (_what, bindings) => {
    refused(
      await ask("/me", by(await assertion({ email: "ann@acme.example" })), {}, bindings),
      401,
      "unauthenticated",
    );
    expect(asked).toBe(0);
  });
});

it("keys are asked for once, and again when there is a new one", async () => {
  for (let n = 0; n < 3; n++) ok(await ask("/me", by(await assertion())));
  expect(asked).toBe(1);
  const next = await generateKeyPair("RS256", { extractable: true });
  published.push({ kid: "two", key: next.publicKey });
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ["Date"] });
  try {
    ok(await ask("/me", by(await assertion({}, { kid: "two", key: next.privateKey }))));
    expect(asked).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

it("a board's own token still lists no boards, and the operator's does", async () => {
  refused(await call(board.lead, "GET", "/boards"), 403, "forbidden");
  ok(await call(OPERATOR, "GET", "/boards"));
});
