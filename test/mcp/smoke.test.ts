import { expect, it } from "vitest";
import { newBoard } from "../support/api.ts";
import { ask, does, legacy, modern } from "./client.ts";

it("list", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const list = await ask(worker, "tools/list");
  console.log(list.status, list.text.length, list.text.slice(0, 300), list.headers.get("content-type"));
  for (const tool of list.json.result.tools) console.log(tool.name, JSON.stringify(tool).length);
  const old = await ask(worker, "tools/list", {}, legacy);
  console.log(old.status, old.text.length, old.text.slice(0, 200), old.headers.get("content-type"));
  await board.add({ title: "one", description: "do it" });
  console.log(await does(worker, "list_tasks", { ready: true }));
  const claim = await does(worker, "claim_task", {}, modern);
  console.log(claim);
  console.log(await does(worker, "get_task", { task_id: "n1", include: ["runs", "comments", "deps", "ancestors", "verdict"] }));
  console.log(await does(worker, "heartbeat", { task_id: "n1", lease_token: claim.lease_token, note: "hm" }));
  console.log(await does(worker, "finish_task", { task_id: "n1", lease_token: claim.lease_token, outcome: "done", summary: "ok" }));
  expect(1).toBe(1);
});
