/**
 * One line for each request, whatever comes of it: what was asked, by which role, and what it cost. Nothing in it
 * is a secret, or says what a task is about: no body, token, key or address, no path and no id of a task.
 */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { matchedRoutes } from "hono/route";
import { Meter } from "../board/meter.ts";
import { boardTag } from "../board/tell.ts";
import type { Edge } from "./edge.ts";

export const logRequest = createMiddleware<Edge>(async (c, next) => {
  const began = Date.now();
  c.set("meter", new Meter());
  await next();
  console.log(JSON.stringify(await lineOf(c, Date.now() - began)));
});

async function lineOf(c: Context<Edge>, ms: number): Promise<object> {
  const { cost, replayed, lost } = c.get("meter");
  const boardId = c.req.param("board") ?? c.get("tokenBoard") ?? null;
  const tool = c.get("tool");
  return {
    message: "request",
    requestId: c.get("requestId"),
    method: c.req.method,
    route: routeOf(c),
    board: boardId === null ? null : await boardTag(boardId),
    // Of a request that was not let in, there is none.
    role: (c.get("caller") as Edge["Variables"]["caller"] | undefined)?.role ?? null,
    status: c.res.status,
    code: c.get("refused") ?? null,
    ms,
    rowsRead: lost ? null : cost.rowsRead,
    rowsWritten: lost ? null : cost.rowsWritten,
    ...(replayed ? { replayed } : {}),
    ...(tool === undefined ? {} : { tool }),
  };
}

/** The pattern it was found by; null: there is no such route. */
function routeOf(c: Context): string | null {
  return matchedRoutes(c).find(({ path }) => !path.includes("*"))?.path ?? null;
}
