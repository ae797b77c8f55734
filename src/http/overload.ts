/**
 * Boards that said a moment ago that they have too much to do. Their reads are answered here until then, so that what
 * they can do goes to writes. Each isolate of the Worker knows what it has heard itself; that is enough to shed.
 */
import { createMiddleware } from "hono/factory";
import { OVERLOAD_KEPT_MAX, OVERLOAD_REST_MS } from "../contract/limits.ts";
import { refuse } from "../contract/result.ts";
import type { Edge } from "./edge.ts";
import { problem } from "./problem.ts";

const REST = refuse("board_overloaded", "The board has more to do than it can; reads wait for writes.", {
  outcome: "nothing_changed",
});

const restsUntil = new Map<string, number>();

export const shedReads = createMiddleware<Edge>(async (c, next) => {
  const boardId = c.req.param("board");
  if (boardId === undefined) return next();
  if (c.req.method === "GET" && rests(boardId, Date.now())) return problem(c, REST);
  await next();
  // A socket is refused for want of a place, which is no overload.
  if (c.get("refused") === "board_overloaded" && c.req.header("upgrade") === undefined)
    remember(boardId, Date.now());
});

function rests(boardId: string, now: number): boolean {
  const until = restsUntil.get(boardId);
  if (until === undefined) return false;
  if (until > now) return true;
  restsUntil.delete(boardId);
  return false;
}

/** The oldest goes first; forgetting one costs a call that is refused there instead of here. */
function remember(boardId: string, now: number): void {
  if (restsUntil.size >= OVERLOAD_KEPT_MAX) restsUntil.delete(restsUntil.keys().next().value as string);
  restsUntil.set(boardId, now + OVERLOAD_REST_MS);
}
