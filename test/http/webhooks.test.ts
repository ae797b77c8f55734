/** Webhooks over the wire: where they may go, who may see them, and what is told of their secrets. */
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { expect, it } from "vitest";
import { type Signer, signaturesOf, webhookSecret } from "../../src/board/webhook-signature.ts";
import { WEBHOOKS_MAX } from "../../src/contract/limits.ts";
import { BASE } from "../../src/contract/route.ts";
import { app } from "../../src/http/app.ts";
import { call, events, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { newReceiver, subscribe, told, verified, webhookOf } from "../support/receiver.ts";
import { invalid, isReplay, keyed, readReply } from "./support.ts";

const create = (board: TestBoard, body: object, token = board.lead) =>
  call(token, "POST", `${board.path}/webhooks`, body);

/** The same Worker, for development. */
async function inDevelopment(board: TestBoard, body: object) {
  const headers = { authorization: `Bearer ${board.lead}`, "content-type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(body) };
  const request = new Request(`https://edgeboard.test${BASE}${board.path}/webhooks`, init);
  return readReply(await app.fetch(request, { ...env, EDGEBOARD_ALLOW_PRIVATE_WEBHOOKS: "true" }));
}

it("a webhook goes to a public name over TLS, and its URL is named where it does not", async () => {
  const board = await newBoard();
  for (const url of ["http://example.com", "https://127.1/", "https://metadata.google.internal/", "nonsense"])
    invalid(await create(board, { url }), "url", url);
  const { id } = await subscribe(board, "https://example.com/hook", ["webhook_disabled"]);
  const path = `${board.path}/webhooks/${id}`;
  invalid(await call(board.lead, "PATCH", path, { url: "https://[::ffff:10.0.0.1]/" }), "url");
  expect((await webhookOf(board, id)).url).toBe("https://example.com/hook");
});

it("the development flag lets one go to this machine; without it, nothing is sent there after all", async () => {
  const board = await newBoard();
  const url = "http://localhost:9000/hook";
  invalid(await create(board, { url }), "url");
  const { webhook } = ok(await inDevelopment(board, { url, kinds: ["task_created"] }), 201);
  await board.add({ title: "one" });
  const log = await told(board, webhook.id);
  expect(log).toMatchObject([
    { state: "pending", lastStatus: null, lastError: "not sent: the URL must begin with https://" },
  ]);
});

it("the secret is told once, and stands in no table, list, log or audit", async () => {
  const board = await newBoard();
  const url = "https://hooks.example.com/services/T0KEN-1N-THE-PATH";
  const { id, secret } = await subscribe(board, url, ["webhook_disabled"]);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  ok(await call(board.lead, "PATCH", `${board.path}/webhooks/${id}`, { disabled: true }));
  const bare = secret.slice("whsec_".length);
  for (const path of ["/webhooks", `/webhooks/${id}/deliveries`, "/events", "/audit", "/export"])
    expect((await call(board.lead, "GET", board.path + path)).text).not.toContain(bare);
  await inside(board, ({ sql }) => {
    for (const { name } of sql.all(
      "select name from sqlite_master where type = 'table' and name not like '%search%'",
    ))
      if (!String(name).startsWith("_cf_"))
        expect(JSON.stringify(sql.all(`select * from ${name}`)), String(name)).not.toContain(bare);
  });
  // A path may be a secret of the receiver's: viewers read log and audit, and only leads read webhooks.
  const viewer = await board.mint("viewer", "viewer");
  for (const path of ["/events?limit=200", "/audit"]) {
    const { text } = await call(viewer, "GET", board.path + path);
    expect(text).toContain("hooks.example.com");
    expect(text).not.toContain("T0KEN");
  }
});

it("a lost answer is given again, with the same secret; another webhook has another", async () => {
  const board = await newBoard();
  const body = { url: "https://example.com/hook", kinds: ["webhook_disabled"] };
  const path = `${board.path}/webhooks`;
  const first = await keyed(board.lead, path, "k", body);
  const again = await keyed(board.lead, path, "k", body);
  expect([isReplay(again), again.text]).toEqual([true, first.text]);
  const { secret } = await subscribe(board, body.url, body.kinds);
  expect(secret).not.toBe(ok(first, 201).secret);
  expect(ok(await call(board.lead, "GET", path)).webhooks).toHaveLength(2);
});

it("leads alone keep webhooks", async () => {
  const board = await newBoard();
  const { id } = await subscribe(board, "https://example.com", ["webhook_disabled"]);
  for (const role of ["viewer", "worker", "verifier"]) {
    const token = await board.mint(role, role);
    refused(await create(board, { url: "https://example.com" }, token), 403, "forbidden");
    for (const path of ["", `/${id}/deliveries`])
      refused(await call(token, "GET", `${board.path}/webhooks${path}`), 403, "forbidden");
    refused(await call(token, "PATCH", `${board.path}/webhooks/${id}`, { disabled: true }), 403, "forbidden");
    refused(await call(token, "DELETE", `${board.path}/webhooks/${id}`), 403, "forbidden");
  }
});

it("a board has ten webhooks at most, and room again when one is deleted", async () => {
  const board = await newBoard();
  const made = [];
  for (let n = 0; n < WEBHOOKS_MAX; n++)
    made.push(await subscribe(board, `https://example.com/${n}`, ["webhook_disabled"]));
  const { limit, hint } = refused(await create(board, { url: "https://example.com" }), 422, "webhook_cap");
  expect([limit, hint]).toEqual([10, "Delete one that is no longer needed."]);
  expect((await call(board.lead, "DELETE", `${board.path}/webhooks/${made[3]?.id}`)).status).toBe(204);
  await subscribe(board, "https://example.com", ["webhook_disabled"]);
});

it("each change is told and audited, with who made it", async () => {
  const board = await newBoard();
  const { id } = await subscribe(board, "https://example.com/a", ["task_created"]);
  ok(
    await call(board.lead, "PATCH", `${board.path}/webhooks/${id}`, {
      kinds: ["task_edited", "task_edited"],
    }),
  );
  expect((await call(board.lead, "DELETE", `${board.path}/webhooks/${id}`)).status).toBe(204);
  const changes = await events(board, "&kind=board_changed");
  expect(changes.map(({ actor, data }) => [actor.id, data.webhook])).toEqual([
    ["lead", { id, host: "example.com", kinds: ["task_created"], change: "created" }],
    ["lead", { id, host: "example.com", kinds: ["task_edited"], change: "changed" }],
    ["lead", { id, host: "example.com", kinds: ["task_edited"], change: "deleted" }],
  ]);
  const { entries } = ok(await call(board.lead, "GET", `${board.path}/audit`));
  const kinds = entries
    .map(({ kind }: { kind: string }) => kind)
    .filter((kind: string) => kind.startsWith("webhook"));
  expect(kinds).toEqual(["webhook_deleted", "webhook_changed", "webhook_created"]);
});

it("a webhook survives nothing of its board: an export does not take it along", async () => {
  const board = await newBoard();
  await subscribe(board, "https://example.com/hook", ["webhook_disabled"]);
  expect((await call(board.lead, "GET", `${board.path}/export`)).text).not.toContain("example.com");
});

it("while the signing key is rotated, secrets of both keys verify; afterwards the old one does not", async () => {
  const signer: Signer = { incarnation: "i", webhookId: "w" };
  const [old, next] = ["the-key-before-0123456789abcdefghijk", "the-key-after-it-0123456789abcdefghij"];
  const [before, after] = [
    await webhookSecret({ EDGEBOARD_SIGNING_KEY: old }, signer),
    await webhookSecret({ EDGEBOARD_SIGNING_KEY: next, EDGEBOARD_SIGNING_KEY_PREVIOUS: old }, signer),
  ];
  const message = { id: "w_1", timestamp: Math.floor(Date.now() / 1000), body: '{"type":"x"}' };
  const verifies = async (secret: string, previous: string | undefined) => {
    const keys = {
      EDGEBOARD_SIGNING_KEY: next,
      ...(previous === undefined ? {} : { EDGEBOARD_SIGNING_KEY_PREVIOUS: previous }),
    };
    const headers = {
      "webhook-id": message.id,
      "webhook-timestamp": String(message.timestamp),
      "webhook-signature": await signaturesOf(keys, signer, message),
    };
    try {
      new Webhook(secret).verify(message.body, headers);
      return true;
    } catch {
      return false;
    }
  };
  expect([await verifies(before, old), await verifies(after, old)]).toEqual([true, true]);
  for (const previous of [undefined, ""])
    expect([await verifies(before, previous), await verifies(after, previous)]).toEqual([false, true]);
});

it("a secret is one board's, one incarnation's and one webhook's own", async () => {
  const secrets = await Promise.all(
    [
      { incarnation: "i", webhookId: "w" },
      { incarnation: "j", webhookId: "w" },
      { incarnation: "i", webhookId: "v" },
    ].map((signer) => webhookSecret(env, signer)),
  );
  expect(new Set(secrets).size).toBe(3);
  const board = await newBoard();
  const receiver = newReceiver();
  const { id, secret } = await subscribe(board, receiver.url);
  const [request] = await receiver.got(1);
  const incarnation = await inside(board, ({ context }) => context(1).board.incarnation);
  expect(await webhookSecret(env, { incarnation, webhookId: id })).toBe(secret);
  if (request !== undefined) expect(verified(secret, request).kind).toBe("board_changed");
});
