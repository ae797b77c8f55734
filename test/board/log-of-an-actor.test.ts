/** The log of one actor: what somebody did, and nothing else. */
import { expect, it } from "vitest";
import type { BoardEvent } from "../../src/contract/events.ts";
import { call, newBoard, ok } from "../support/api.ts";

it("the log of an actor has what it did, page by page in both directions, and together with a kind", async () => {
  const board = await newBoard();
  const ada = await board.mint("ada");
  const { id } = await board.add({ title: "spoken of" });
  for (const body of ["one", "two", "three"]) {
    ok(await call(ada, "POST", `${board.path}/tasks/${id}/comments`, { body }), 201);
    ok(await call(board.lead, "POST", `${board.path}/tasks/${id}/comments`, { body }), 201);
  }
  await board.claim(id, ada);
  const read = async (query: string) => {
    const found: BoardEvent[] = [];
    for (let cursor = ""; ; ) {
      const page = ok(await call(board.lead, "GET", `${board.path}/events?limit=2${query}${cursor}`));
      found.push(...page.events);
      if (!page.hasMore) return found;
      cursor = `&cursor=${page.nextCursor}`;
    }
  };
  const forward = await read("&actor=ada");
  expect(forward.map(({ kind }) => kind)).toEqual([
    "comment_added",
    "comment_added",
    "comment_added",
    "task_claimed",
  ]);
  expect(forward.every(({ actor }) => actor.id === "ada")).toBe(true);
  expect(await read("&actor=ada&order=desc")).toEqual(forward.toReversed());
  expect(await read("&actor=ada&kind=task_claimed")).toEqual(forward.slice(3));
  expect(await read(`&actor=ada&taskId=${id}`)).toEqual(forward);
  expect(await read("&actor=nobody")).toEqual([]);
});
