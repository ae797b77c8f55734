import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { newBoard, ok, refused, until } from "./board.ts";

/** Nobody is there: what a board tells it is tried, and the trying can be seen. */
const nowhere = () => `https://${randomUUID()}.invalid/hook`;

test("a webhook tells its secret once, and what became of each delivery", async () => {
  const board = await newBoard();
  const made = ok(await board.ask("POST", "/webhooks", { url: nowhere(), kinds: ["task_created"] }), 201);
  assert.match(made.secret, /^whsec_/);
  const listed = await board.ask("GET", "/webhooks");
  assert.equal(ok(listed).webhooks.length, 1);
  assert.ok(!listed.text.includes("whsec_"));
  const { changeSeq } = await board.add({ title: "told" });
  const path = `/webhooks/${made.webhook.id}`;
  const log = async () => ok(await board.ask("GET", `${path}/deliveries`)).deliveries;
  const [delivery] = await until(log, ([first]) => first?.lastError !== null);
  assert.deepEqual([delivery.id, delivery.kind, delivery.state], [changeSeq, "task_created", "pending"]);
  ok(await board.ask("PATCH", path, { disabled: true }));
  assert.equal(ok(await board.ask("GET", "/webhooks")).webhooks[0].disabledReason, "lead");
  refused(
    await board.ask("POST", `${path}/deliveries/${changeSeq + 1_000}/replay`),
    "404 delivery_not_found",
  );
  ok(await board.ask("DELETE", path), 204);
  refused(await board.ask("GET", `${path}/deliveries`), "404 webhook_not_found");
});

test("a webhook goes to a URL that may be told, and a board has ten at most", async () => {
  const board = await newBoard();
  const add = (url: string) => board.ask("POST", "/webhooks", { url, kinds: ["webhook_disabled"] });
  for (const url of [
    "nothing",
    "ftp://example.com/x",
    "https://user:pass@example.com/",
    "javascript:alert(1)",
  ])
    refused(await add(url), "400 invalid_request");
  for (let count = 0; count < 10; count++) ok(await add(nowhere()), 201);
  assert.equal(refused(await add(nowhere()), "422 webhook_cap").limit, 10);
});
