/** Where an answer shows only a part, the newest is in it, it says that it is a part, and numbers count all. */
import { expect, it } from "vitest";
import { call, events, newBoard, ok } from "../support/api.ts";
import { inside } from "../support/inside.ts";

const MANY = 2_500;

it("of thousands of comments a task shows the newest and says so; the list holds every one", async () => {
  const board = await newBoard();
  const { id } = await board.add({ title: "much was said" });
  await inside(board, ({ sql }) =>
    sql.run(
      `insert into task_comments (number, task_id, author_id, body, created_at)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       select i, ?, 'ada', 'said ' || i, i from n`,
      MANY,
      id,
    ),
  );
  const path = `${board.path}/tasks/${id}`;
  const { comments, truncated } = ok(await call(board.lead, "GET", `${path}?include=comments`));
  expect(truncated).toEqual(["comments"]);
  const shown = comments.map(({ body }: { body: string }) => body);
  expect([shown.length, shown[0], shown.at(-1)]).toEqual([200, `said ${MANY - 199}`, `said ${MANY}`]);
  ok(await call(board.lead, "POST", `${path}/comments`, { body: "the newest" }), 201);
  const again = ok(await call(board.lead, "GET", `${path}?include=comments`)).comments;
  expect(again.at(-1).body).toBe("the newest");
  let walked = 0;
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page = ok(await call(board.lead, "GET", `${path}/comments?limit=200${query}`));
    walked += page.comments.length;
    cursor = page.nextCursor;
  }
  expect(walked).toBe(MANY + 1);
});

it("of thousands of events the newest are the first page from the end, and the last page from the start", async () => {
  const board = await newBoard();
  const { seq } = ok(await call(board.lead, "GET", board.path));
  await inside(board, ({ sql }) =>
    sql.run(
      `insert into events (seq, at, kind, actor_type, actor_id, data)
       with recursive n(i) as (select 1 union all select i + 1 from n where i < ?)
       select ? + i, i, 'board_changed', 'agent', 'ada', '{}' from n`,
      MANY,
      seq,
    ),
  );
  const last = seq + MANY;
  expect((await events(board, "&order=desc")).map((event) => event.seq).slice(0, 3)).toEqual([
    last,
    last - 1,
    last - 2,
  ]);
  const page = ok(await call(board.lead, "GET", `${board.path}/events?limit=200&after=${last - 200}`));
  expect([page.events.length, page.events.at(-1).seq, page.hasMore, page.seq]).toEqual([
    200,
    last,
    false,
    last,
  ]);
});
