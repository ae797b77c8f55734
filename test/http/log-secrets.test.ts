/** No secret that passes through the Worker, and nothing of what a task is about, stands in any line of the log. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, expect, it, vi } from "vitest";
import { ask } from "../mcp/client.ts";
import { call, newBoard, OPERATOR, ok } from "../support/api.ts";
import { backdate } from "../support/inside.ts";
import { listen } from "../support/lines.ts";
import { newReceiver } from "../support/receiver.ts";
import { upgrade } from "../support/socket.ts";
import { send } from "./support.ts";

afterEach(() => void vi.restoreAllMocks());

it("not in its own place, nor in a wrong one, nor where it is refused", async () => {
  const log = listen();
  const board = await newBoard();
  const worker = await board.mint("private-agent");
  const key = "private-idempotency-key";
  const words = { title: "private-title", description: "private-text", labels: ["private-label"] };
  const { task } = ok(
    await call(board.lead, "POST", `${board.path}/tasks`, words, { "idempotency-key": key }),
    201,
  );
  const { lease } = await board.claim(task.id, worker);
  const { url, secret } = await (async () => {
    const receiver = newReceiver().url;
    const body = { url: receiver, kinds: null };
    return { ...ok(await call(board.lead, "POST", `${board.path}/webhooks`, body), 201), url: receiver };
  })();
  const link: string = ok(await call(board.lead, "POST", "/session/link", {}), 201).url;
  const code = new URL(link).hash.replace(/^#.*?([\w-]{43}).*$/, "$1");
  const signedIn = await call(null, "POST", "/session", { code });
  const cookie = signedIn.headers.get("set-cookie")?.split(";")[0]?.split("=")[1] as string;
  const secrets = { OPERATOR, lead: board.lead, worker, lease: lease.token, secret, code, cookie, key };
  for (const [name, value] of Object.entries(secrets))
    expect([name, value.length > 20]).toEqual([name, true]);

  // Each where a token goes, in a query, in a path, in a body, as a key, and in a call of a tool.
  for (const value of Object.values(secrets)) {
    await call(value, "GET", board.path);
    await call(board.lead, "GET", `${board.path}?token=${encodeURIComponent(value)}`);
    await call(board.lead, "GET", `${board.path}/tasks/${encodeURIComponent(value)}`);
    await call(board.lead, "GET", `/${encodeURIComponent(value)}`);
    await call(board.lead, "GET", `/boards/${encodeURIComponent(value)}`);
    await call(OPERATOR, "GET", `/boards/${encodeURIComponent(value)}`);
    await call(board.lead, "POST", `${board.path}/tasks`, { title: 1, [value]: value });
    await call(board.lead, "POST", `${board.path}/tasks`, `{"title": ${value}`);
    await call(board.lead, "POST", `${board.path}/tasks`, { title: value }, { "idempotency-key": value });
    const beat = { leaseToken: value };
    await call(worker, "POST", `${board.path}/tasks/${task.id}/heartbeat`, beat);
    await ask(board.lead, "tools/call", { name: "get_task", arguments: { task_id: value } });
    await ask(board.lead, "tools/call", { name: value, arguments: { [value]: value } });
    await ask(board.lead, value);
    await call(null, "POST", "/session", { token: value });
    await call(null, "POST", "/session", { code: value });
    await upgrade(board, value, `?after=${value}`);
    await send(`/${value}`, { headers: { cookie: `__Host-edgeboard=${value}` } }, "");
  }
  const address = "192.0.2.77";
  await send("/me", { headers: { "cf-connecting-ip": address, authorization: `Bearer ${board.lead}` } });
  await call(worker, "POST", `${board.path}/tasks/${task.id}/comments`, { body: "private-comment" });
  await call(board.lead, "GET", `${board.path}/tasks?q=private-words`);
  await backdate(board, task.id, 200_000);
  await runDurableObjectAlarm(board.stub());

  const told = log.texts().join("\n");
  expect(log.requests().length).toBeGreaterThan(100);
  expect(log.of("alarm").length).toBeGreaterThan(0);
  for (const [name, value] of Object.entries(secrets))
    expect([name, told.includes(value)]).toEqual([name, false]);
  for (const word of [board.id, task.id, url, address, "private-"]) expect(told).not.toContain(word);
});
