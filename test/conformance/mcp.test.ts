import assert from "node:assert/strict";
import { test } from "node:test";
import { type Board, call, type Json, newBoard, ok } from "./board.ts";

const ACCEPT = { accept: "application/json, text/event-stream" };

/** One request of the protocol: no handshake, no session. */
async function said(token: string, method: string, params: object): Promise<Json> {
  const body = { jsonrpc: "2.0", id: 1, method, params };
  return ok(await call(token, "POST", "/mcp", body, ACCEPT)).result;
}

const tool = (token: string, name: string, given: object): Promise<Json> =>
  said(token, "tools/call", { name, arguments: given });

async function withWorker(): Promise<{ board: Board; worker: string }> {
  const board = await newBoard();
  return { board, worker: await board.mint("builder") };
}

test("an agent lists, claims, beats and finishes over MCP, and the board knows", async () => {
  const { board, worker } = await withWorker();
  await board.add({ title: "over the wire" });
  const { tools } = await said(worker, "tools/list", {});
  assert.equal(tools.length, 9);
  const listed = await tool(worker, "list_tasks", { ready: true });
  assert.match(listed.content[0].text, /over the wire/);
  const claimed = (await tool(worker, "claim_task", { task_id: "n1" })).structuredContent;
  const { lease_token } = claimed;
  await tool(worker, "heartbeat", { task_id: "n1", lease_token });
  const word = { task_id: "n1", lease_token, outcome: "done", summary: "did it" };
  assert.notEqual((await tool(worker, "finish_task", word)).isError, true);
  const { task, executions } = await board.get("n1", "?include=executions");
  assert.deepEqual(
    [task.status, executions[0].agentId, executions[0].summary],
    ["done", "builder", "did it"],
  );
});

test("a refusal over MCP begins with its code and says what to do next", async () => {
  const { board, worker } = await withWorker();
  await board.claim((await board.add({ title: "held" })).id, board.lead);
  const refusal = await tool(worker, "claim_task", { task_id: "n1" });
  assert.equal(refusal.isError, true);
  assert.match(refusal.content[0].text, /^conflict\b/);
});
