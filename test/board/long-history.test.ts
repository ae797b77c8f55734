/** A task with a long history opens as fast as any other: counted in rows, which are exact. */
import { expect, it } from "vitest";
import { listEvents } from "../../src/board/operations/events.ts";
import { getTask } from "../../src/board/operations/get-task.ts";
import { newBoard } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { inside, WORKER } from "../support/inside.ts";

const NOW = 1_800_000_000_000;

it("of 20,000 events, the task and the newest 50 are read in hardly more rows than are shown", async () => {
  const board = await newBoard();
  await inside(board, (visit) => {
    fill(visit.sql, { count: 1, priority: 1 });
    const { id } = visit.sql.first("select id from tasks limit 1") as { id: string };
    visit.sql.run(
      `with recursive n(seq) as (select (select max(seq) from events) + 1 union all select seq + 1 from n limit 20000)
      insert into events (seq, at, kind, task_id, actor_type, actor_id, data)
      select seq, ?1, 'stop_requested', ?2, 'agent', 'lead', '{}' from n`,
      NOW,
      id,
    );
    const start = visit.costs.length;
    const page = listEvents(visit.context(NOW, WORKER), {
      cursor: null,
      order: "desc",
      taskId: id,
      kinds: [],
      cards: false,
      limit: 50,
    });
    getTask(visit.context(NOW, WORKER), { id, include: ["comments", "executions", "dependencies"] });
    const read = visit.costs.slice(start).reduce((sum, { rowsRead }) => sum + rowsRead, 0);
    expect(page.ok && page.value.events).toHaveLength(50);
    expect(page.ok && page.value.hasMore).toBe(true);
    expect(read).toBeLessThan(120);
  });
});
