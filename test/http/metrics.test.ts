/** What a scraper reads, through a parser of its own. */
import { evictDurableObject } from "cloudflare:test";
import parse from "parse-prometheus-text-format";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Traffic } from "../../src/board/traffic.ts";
import { Waiters } from "../../src/board/waiters.ts";
import { BOARD_MAX_BYTES, OVERLOAD_REST_MS } from "../../src/contract/limits.ts";
import { METRICS } from "../../src/contract/metrics.ts";
import { refuse } from "../../src/contract/result.ts";
import { metricsText } from "../../src/http/metrics-text.ts";
import { call, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { backdate, inside } from "../support/inside.ts";
import { follow } from "../support/socket.ts";
import { LONG, waiting } from "./waiting.ts";

afterEach(() => void vi.restoreAllMocks());

/** Each sample of a scrape, by its name and labels as they are written in a query. */
async function scrape(board: TestBoard, token = board.lead): Promise<Record<string, number>> {
  const reply = await call(token, "GET", `${board.path}/metrics`);
  expect(reply.status, reply.text).toBe(200);
  return samplesOf(reply.text);
}

function samplesOf(text: string): Record<string, number> {
  return Object.fromEntries(
    parse(text).flatMap(({ name, metrics }) =>
      metrics.map(({ labels = {}, value }) => {
        const told = Object.entries(labels).map(([label, word]) => `${label}="${word}"`);
        return [told.length === 0 ? name : `${name}{${told.join(",")}}`, Number(value)];
      }),
    ),
  );
}

it("every metric has its help and type, and a scraper reads them as they are declared", async () => {
  const board = await newBoard();
  const { text, headers } = await call(board.lead, "GET", `${board.path}/metrics`);
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(parse(text).map(({ name, help, type }) => [name, help, type.toLowerCase()])).toEqual(
    Object.entries(METRICS).map(([name, { help, type }]) => [name, help, type]),
  );
  expect(text).not.toContain(board.id);
});

it("a viewer may read it, and nobody without a token", async () => {
  const board = await newBoard();
  expect(await scrape(board, await board.mint("eyes", "viewer"))).toHaveProperty("edgeboard_events_total");
  refused(await call(null, "GET", `${board.path}/metrics`), 401, "unauthenticated");
  refused(await call((await newBoard()).lead, "GET", `${board.path}/metrics`), 404, "board_not_found");
});

describe("it tells", () => {
  it("what stands, what is ready and since when", async () => {
    const board = await newBoard();
    const [first] = [await board.add({ title: "a" }), await board.add({ title: "b", dependsOn: ["n1"] })];
    await board.add({ title: "c", status: "backlog" });
    await inside(board, ({ sql }) => sql.run("update tasks set ready_since = ready_since - 60000"));
    const told = await scrape(board);
    expect(told).toMatchObject({
      'edgeboard_tasks{status="todo"}': 2,
      'edgeboard_tasks{status="backlog"}': 1,
      'edgeboard_tasks{status="done"}': 0,
      edgeboard_ready_tasks: 1,
      edgeboard_paused: 0,
      edgeboard_archived: 0,
      edgeboard_failed_alarms: 0,
      edgeboard_storage_limit_bytes: BOARD_MAX_BYTES,
    });
    expect(told["edgeboard_oldest_ready_age_seconds"]).toBeGreaterThanOrEqual(60);
    expect(told["edgeboard_oldest_ready_age_seconds"]).toBeLessThan(90);
    expect(told["edgeboard_storage_bytes"]).toBeGreaterThan(10_000);
    const { seq } = ok(await call(board.lead, "GET", board.path));
    expect(told["edgeboard_events_total"]).toBe(seq);
    await board.claim(first.id, board.lead);
    ok(await call(board.lead, "PATCH", board.path, { paused: true }));
    const later = await scrape(board);
    expect(later).toMatchObject({ edgeboard_ready_tasks: 0, edgeboard_paused: 1 });
    expect(later).not.toHaveProperty("edgeboard_oldest_ready_age_seconds");
  });

  it("the oldest ready task of all priorities, not of the highest", async () => {
    const board = await newBoard();
    await board.add({ title: "urgent", priority: 9 });
    await board.add({ title: "old", priority: 2 });
    await inside(board, ({ sql }) => {
      sql.run("update tasks set ready_since = ready_since - 60000 where priority = 2");
    });
    expect((await scrape(board))["edgeboard_oldest_ready_age_seconds"]).toBeGreaterThanOrEqual(60);
  });

  it("a task whose time has come as ready, before anybody asks for work", async () => {
    const board = await newBoard();
    await inside(board, ({ sql }) => fill(sql, { count: 1, priority: 0, notBefore: 1_000 }));
    expect((await scrape(board))["edgeboard_ready_tasks"]).toBe(1);
  });

  it("leases that live and leases that ran out, and who needs a person", async () => {
    const board = await newBoard({ maxRunMs: 60_000 });
    const [live, silent] = [await board.add({ title: "a" }), await board.add({ title: "b" })];
    for (const { id } of [live, silent]) await board.claim(id, board.lead);
    await backdate(board, silent.id, 180_000);
    await inside(board, ({ sql }) => {
      sql.run("update execution_processes set started_at = started_at - 60000 where task_id = ?", live.id);
    });
    expect(await scrape(board)).toMatchObject({
      'edgeboard_leases{state="live"}': 1,
      'edgeboard_leases{state="expired"}': 1,
      'edgeboard_needs_person_tasks{reason="overrun"}': 1,
      'edgeboard_needs_person_tasks{reason="no_lease"}': 0,
    });
  });

  it("webhooks and what they are to be sent", async () => {
    const board = await newBoard();
    const url = `https://${crypto.randomUUID()}.example/hook`;
    const { id } = ok(
      await call(board.lead, "POST", `${board.path}/webhooks`, { url, kinds: ["task_created"] }),
      201,
    ).webhook;
    await inside(board, ({ sql }) => {
      for (const [seq, state] of ["pending", "pending", "dead", "delivered"].entries())
        sql.run(
          `insert into webhook_deliveries (webhook_id, seq, kind, state, queued_at, body)
           values (?, ?, 'task_created', ?, 1, '{}')`,
          id,
          seq + 100,
          state,
        );
    });
    expect(await scrape(board)).toMatchObject({
      'edgeboard_webhooks{state="active"}': 1,
      'edgeboard_webhooks{state="disabled"}': 0,
      'edgeboard_webhook_deliveries{state="pending"}': 2,
      'edgeboard_webhook_deliveries{state="dead"}': 1,
    });
    ok(await call(board.lead, "PATCH", `${board.path}/webhooks/${id}`, { disabled: true }));
    expect(await scrape(board)).toMatchObject({ 'edgeboard_webhooks{state="disabled"}': 1 });
  });

  it("sockets, and requests that wait", async () => {
    const board = await newBoard();
    const { socket } = await follow(board);
    const { seq } = ok(await call(board.lead, "GET", board.path));
    const pending = await waiting(() => [
      call(board.lead, "GET", `${board.path}/events?after=${seq}&waitMs=${LONG}`),
    ]);
    expect(await scrape(board)).toMatchObject({
      edgeboard_sockets: 1,
      'edgeboard_waiters{for="events"}': 1,
      'edgeboard_waiters{for="work"}': 0,
    });
    await board.add({ title: "news" });
    await Promise.all(pending);
    socket.close();
  });
});

describe("since the object started, it counts", () => {
  it("operations by outcome, rows, and what was turned away", async () => {
    const board = await newBoard();
    const task = await board.add({ title: "one" });
    await board.claim(task.id, board.lead);
    refused(await call(board.lead, "POST", `${board.path}/tasks/${task.id}/claim`, {}), 409, "conflict");
    refused(await call(board.lead, "GET", `${board.path}/tasks/n99`), 404, "task_not_found");
    const before = await scrape(board);
    expect(before).toMatchObject({
      'edgeboard_operations_total{operation="createBoard",outcome="ok"}': 1,
      'edgeboard_operations_total{operation="createTask",outcome="ok"}': 1,
      'edgeboard_operations_total{operation="claimTask",outcome="ok"}': 1,
      'edgeboard_operations_total{operation="claimTask",outcome="conflict"}': 1,
      'edgeboard_operations_total{operation="getTask",outcome="task_not_found"}': 1,
      edgeboard_turned_away_total: 0,
    });
    expect(before["edgeboard_rows_written_total"]).toBeGreaterThan(20);
    const after = await scrape(board);
    expect(after['edgeboard_operations_total{operation="readMetrics",outcome="ok"}']).toBe(1);
    expect(after["edgeboard_rows_read_total"]).toBeGreaterThan(before["edgeboard_rows_read_total"] ?? 0);
    expect(after["edgeboard_rows_written_total"]).toBe(before["edgeboard_rows_written_total"]);
  });

  it("what it turned away: for overload, and for want of a place to wait in", async () => {
    const board = await newBoard();
    const { seq } = ok(await call(board.lead, "GET", board.path));
    const overload = vi.spyOn(Traffic.prototype, "refusal");
    overload.mockReturnValueOnce(refuse("board_overloaded", "too much"));
    refused(await call(board.lead, "POST", `${board.path}/tasks`, { title: "x" }), 503, "board_overloaded");
    vi.spyOn(Waiters.prototype, "wait").mockResolvedValue("full");
    ok(await call(board.lead, "POST", `${board.path}/claims`, { waitMs: LONG }));
    // The Worker itself answers reads for a moment after that.
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + OVERLOAD_REST_MS });
    ok(await call(board.lead, "GET", `${board.path}/events?after=${seq}&waitMs=${LONG}`));
    const told = await scrape(board);
    vi.useRealTimers();
    expect(told).toMatchObject({
      'edgeboard_operations_total{operation="createTask",outcome="board_overloaded"}': 1,
      edgeboard_turned_away_total: 3,
    });
  });

  it("and begins anew with the object, which says when that was", async () => {
    const board = await newBoard();
    await board.add({ title: "one" });
    const before = await scrape(board);
    await evictDurableObject(board.stub());
    const after = await scrape(board);
    expect(after).not.toHaveProperty('edgeboard_operations_total{operation="createTask",outcome="ok"}');
    expect(after["edgeboard_rows_written_total"]).toBe(0);
    expect(after["edgeboard_start_time_seconds"]).toBeGreaterThanOrEqual(
      before["edgeboard_start_time_seconds"] as number,
    );
    expect(after["edgeboard_events_total"]).toBe(before["edgeboard_events_total"]);
  });
});

it("whatever a label holds is read back as it is", () => {
  const none = Object.fromEntries(Object.keys(METRICS).map((name) => [name, []]));
  const strange = 'a"b\\c';
  const text = metricsText({
    ...none,
    edgeboard_tasks: [{ labels: { status: strange }, value: 0.5 }],
  } as never);
  expect(text).toContain('edgeboard_tasks{status="a\\"b\\\\c"} 0.5\n');
  const [tasks] = parse(text);
  expect(tasks?.metrics).toEqual([{ labels: { status: strange }, value: "0.5" }]);
});
