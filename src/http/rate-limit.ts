/** Floods stop here; fairness among agents is the board's. */
import { createMiddleware } from "hono/factory";
import { refuse } from "../contract/result.ts";
import { shareOf } from "../contract/roles.ts";
import type { Edge } from "./edge.ts";
import { problem } from "./problem.ts";

const TOO_MANY = refuse("rate_limited", "Too many requests.", { hint: "Wait for Retry-After seconds." });

export const limitByAddress = createMiddleware<Edge>(async (c, next) => {
  const address = c.req.header("cf-connecting-ip");
  if (address === undefined) return next();
  const { success } = await c.env.ADDRESS_LIMIT.limit({ key: address });
  return success ? next() : problem(c, TOO_MANY);
});

export const limitByToken = createMiddleware<Edge>(async (c, next) => {
  const caller = c.get("caller");
  const whose = caller === undefined ? null : shareOf(caller);
  if (whose === null) return next();
  const { success } = await c.env.TOKEN_LIMIT.limit({ key: whose });
  return success ? next() : problem(c, TOO_MANY);
});
