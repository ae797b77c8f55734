/**
 * No answer of a tool is over 20 KB, envelope and both copies included, however much there is: on a board of 10,000
 * tasks with texts of 20,000 characters and 500 comments. What is cut is said to be, and can be read on.
 */

import { expect, it } from "vitest";
import * as z from "zod";
import { insertComments } from "../../src/board/store/comments.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { clean } from "../../src/mcp/wording.ts";
import { call, newBoard, ok, type TestBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { inside } from "../support/inside.ts";
import { callTool } from "./client.ts";

const MOST = 20_000;

/** What costs most: quotes and backslashes double twice, an emoji is four bytes and two units. */
const HARD = `"\\"\n🚀\u0001é`;
const hard = (length: number) =>
  HARD.repeat(Math.ceil(length / HARD.length))
    .slice(0, length)
    .toWellFormed();
const plain = (length: number) => "Lorem ipsum dolor sit amet. ".repeat(length / 20).slice(0, length);

/** The bytes of every answer so far. */
const sizes: number[] = [];

/** A call whose answer keeps to its size, its schema, and to saying everything twice. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
async function bounded(token: string, name: string, args: object): Promise<any> {
  const { result, bytes } = await callTool(token, name, args);
  expect([name, bytes <= MOST, bytes]).toEqual([name, true, bytes]);
  sizes.push(bytes);
  if (result.isError === true) return result;
  expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
  const { output } = TOOLS.find((tool) => tool.name === name) ?? { output: z.never() };
  const parsed = output.safeParse(result.structuredContent);
  expect(parsed.error?.issues).toBeUndefined();
  expect(parsed.data).toEqual(result.structuredContent);
  return result.structuredContent;
}

/** 10,000 tasks; those that a list begins with are as long as can be. */
async function largeBoard(): Promise<{ board: TestBoard; worker: string }> {
  const board = await newBoard();
  const worker = await board.mint("agent");
  await inside(board, ({ sql }) => {
    fill(sql, { count: 9_800, priority: 1 });
    fill(sql, { count: 200, priority: 5 });
    sql.run(
      "update tasks set title = ?, description = ? where number > 9800 and number % 2 = 0",
      "t".repeat(500),
      plain(20_000),
    );
    sql.run(
      "update tasks set title = ?, description = ? where number > 9800 and number % 2 = 1",
      hard(500),
      hard(20_000),
    );
  });
  return { board, worker };
}

it("lists are cut to what fits, and their cursors lead through all of it", async () => {
  const { worker } = await largeBoard();
  for (const asked of [{ limit: 100 }, { ready: true, limit: 100 }, { query: "ipsum", limit: 100 }]) {
    const seen: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 12; pages++) {
      const page = await bounded(worker, "list_tasks", {
        ...asked,
        ...(cursor === undefined ? {} : { cursor }),
      });
      seen.push(...page.tasks.map(({ id }: { id: string }) => id));
      expect(page.tasks.length).toBeGreaterThan(0);
      cursor = page.next_cursor;
      expect(page.hint).toEqual(cursor === undefined ? undefined : expect.stringContaining("next_cursor"));
      if (cursor === undefined) break;
    }
    const numbers = seen.map((id) => Number(id.slice(1)));
    const step = "query" in asked ? 2 : 1;
    const inOrder = numbers.map((_, index) => (numbers[0] ?? 0) - index * step);
    if (!("ready" in asked)) expect(numbers).toEqual(inOrder);
    expect(new Set(seen).size).toBe(seen.length);
  }
  // The plain ones behind them: a page is full, and still fits.
  const { tasks } = await bounded(worker, "list_tasks", { limit: 50, cursor: "9000" });
  expect(tasks).toHaveLength(50);
});

it.each([
  ["plain", plain],
  ["hard", hard],
])(
  "a task with %s texts, 60 runs and 500 comments is read from front to back, and nothing is lost",
  async (_, text) => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const task = await board.add({ title: text(500), description: text(20_000) });
    const bodies = Array.from({ length: 500 }, (_, index) => text(index % 100 === 0 ? 20_000 : 200 + index));
    await inside(board, ({ sql }) => {
      const rows = bodies.map((body, index) => ({
        number: index + 1,
        task_id: task.id,
        author_id: "someone",
        body,
        created_at: index + 1,
        tenant_id: null,
      }));
      for (let first = 0; first < rows.length; first += 10)
        insertComments(sql, rows.slice(first, first + 10));
      for (let epoch = 1; epoch <= 60; epoch++)
        sql.run(
          `insert into execution_processes
           (id, task_id, epoch, agent_id, status, started_at, last_beat_at, ended_at, summary, error, handoff)
         values (?, ?, ?, 'agent', 'failed', 1, 1, 2, ?, ?, ?)`,
          `run-${epoch}`,
          task.id,
          epoch,
          text(epoch === 7 ? 20_000 : 300),
          text(100),
          epoch === 7 ? JSON.stringify({ done: [text(9_000)], next: text(9_000) }) : null,
        );
    });
    const said = {
      description: "",
      comments: new Map<number, string>(),
      summary: "",
      handoff: "",
      runs: new Set(),
    };
    let pages = 0;
    for (let cursor: string | undefined; pages < 1_000; pages++) {
      const include = ["comments", "runs", "deps"];
      const page = await bounded(worker, "get_task", { task_id: "n1", include, ...(cursor && { cursor }) });
      said.description += page.task.description ?? "";
      for (const { id, body = "" } of page.comments ?? [])
        said.comments.set(id, (said.comments.get(id) ?? "") + body);
      for (const { epoch, summary = "", handoff = "" } of page.runs ?? []) {
        said.runs.add(epoch);
        if (epoch === 7) {
          said.summary += summary;
          said.handoff += handoff;
        }
      }
      cursor = page.next_cursor;
      if (cursor === undefined) break;
      expect(page.hint).toContain("next_cursor");
    }
    expect(said.description).toBe(clean(text(20_000)));
    expect([...said.comments.values()]).toEqual(bodies.map(clean));
    expect(said.runs.size).toBe(60);
    expect(said.summary).toBe(clean(text(20_000)));
    expect(said.handoff).toBe(clean(`done: ${text(9_000)}\nnext: ${text(9_000)}`));
    // No page is wasted.
    const read = sizes.slice(-pages - 1);
    expect(read.reduce((sum, bytes) => sum + bytes, 0) / read.length).toBeGreaterThan(MOST * 0.8);
  },
);

it("a claim hands over what fits, says what it cut, and where the rest is", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const blockers = Array.from({ length: 30 }, (_, index) => `blocker-${index}`);
  const made = await Promise.all(blockers.map((title) => board.add({ title: title + hard(400) })));
  for (const { id } of made) {
    const { lease } = await board.claim(id, worker);
    const word = { leaseToken: lease.token, outcome: "succeeded", status: "done", summary: hard(20_000) };
    ok(await call(worker, "POST", `${board.path}/tasks/${id}/complete`, word));
  }
  const task = await board.add({
    title: hard(500),
    description: hard(20_000),
    dependsOn: made.map(({ id }) => id),
  });
  const { lease } = await board.claim(task.id, worker);
  const handoff = { done: [hard(20_000)], next: hard(20_000) };
  ok(
    await call(worker, "POST", `${board.path}/tasks/${task.id}/release`, {
      leaseToken: lease.token,
      handoff,
    }),
  );
  const claim = await bounded(worker, "claim_task", { task_id: task.id });
  expect(claim.truncated).toEqual(["description", "handoff", "blockers"]);
  expect(claim.hint).toMatch(/Cut here: get_task has the whole description; get_task with include runs/);
  expect(claim.task.description.length).toBeGreaterThan(500);
  expect(clean(hard(20_000)).startsWith(claim.task.description)).toBe(true);
  expect(claim.blockers.length).toBeGreaterThan(0);
  const { lease_token } = claim;
  await bounded(worker, "heartbeat", { task_id: task.id, lease_token, note: hard(2_000) });
  const finished = await bounded(worker, "finish_task", {
    task_id: task.id,
    lease_token,
    outcome: "done",
    summary: plain(20_000),
  });
  expect(finished.task.status).toBe("done");
});

it("whatever else a tool says keeps to it, too: tasks set free, verdicts, refusals", async () => {
  const board = await newBoard();
  const [worker, judge] = [await board.mint("agent"), await board.mint("judge", "verifier")];
  const { lead } = board;
  await board.add({ title: hard(500) });
  const labels = Array.from({ length: 20 }, (_, index) => `${index}${"🚀".repeat(60)}`);
  for (let count = 0; count < 30; count++)
    await board.add({ title: hard(500), dependsOn: ["n1"], labels, requiredCapabilities: labels });
  const seen = await bounded(worker, "get_task", { task_id: "n2" });
  expect(seen.truncated).toEqual(["labels", "required_capabilities"]);
  await board.add({ title: "waits", dependsOn: Array.from({ length: 31 }, (_, index) => `n${index + 1}`) });
  const refusal = await bounded(worker, "claim_task", { task_id: "n32" });
  expect(refusal.content[0].text).toMatch(/^not_ready: .*n\d+ and 21 more/);
  const edited = await bounded(lead, "update_task", {
    task_id: "n1",
    title: hard(500),
    description: hard(20_000),
  });
  expect(edited.task.rev).toBe(2);
  const wrong = await bounded(
    worker,
    "create_task",
    Object.fromEntries(labels.map((label) => [label, label])),
  );
  expect(wrong.content[0].text.length).toBeLessThanOrEqual(1_500);
  const { lease_token } = await bounded(worker, "claim_task", { task_id: "n1" });
  await bounded(worker, "finish_task", { task_id: "n1", lease_token, outcome: "in_review", summary: "x" });
  const checks = Array.from({ length: 50 }, (_, index) => ({ name: `${index}${"c".repeat(490)}`, ok: true }));
  await bounded(judge, "review_task", {
    task_id: "n1",
    epoch: 1,
    verdict: "debt",
    checks,
    notes: hard(20_000),
  });
  await bounded(judge, "get_task", { task_id: "n1", include: ["verdict"] });
  const second = await board.add({ title: "frees many" });
  for (let count = 2; count < 30; count++)
    ok(
      await call(lead, "POST", `${board.path}/tasks/n${count}/dependencies`, { dependsOnTaskId: second.id }),
      201,
    );
  const claim = await bounded(worker, "claim_task", { task_id: second.id });
  const finished = await bounded(worker, "finish_task", {
    task_id: second.id,
    lease_token: claim.lease_token,
    outcome: "done",
    summary: "x",
  });
  expect(finished.unblocked_count).toBe(28);
  expect(finished.unblocked.length).toBeLessThan(20);
});
