/** Who calls: decided before any board is touched. */
import { createMiddleware } from "hono/factory";
import { OPERATOR_TOKEN_MIN } from "../contract/limits.ts";
import { type Refusal, refuse } from "../contract/result.ts";
import type { Caller } from "../contract/roles.ts";
import type { Route } from "../contract/route.ts";
import { boardId as boardIdSchema } from "../contract/text.ts";
import { includesRole } from "../rules/roles.ts";
import type { Edge } from "./edge.ts";
import { problem } from "./problem.ts";
import { verifyBoardToken } from "./tokens.ts";

const OPERATOR: Caller = {
  sub: "operator",
  role: "operator",
  jti: null,
  inc: null,
  runtime: null,
  capabilities: [],
};

/** 401 without a good token, 404 with one of another board, 403 where the role is too small. */
export function authenticate(route: Route) {
  return createMiddleware<Edge>(async (c, next) => {
    if (route.role === null) return next();
    const identified = await identify(c.env, c.req.header("authorization"), c.req.param("board"));
    if (!identified.ok) return problem(c, identified);
    if (!includesRole(identified.caller.role, route.role))
      return problem(
        c,
        refuse("forbidden", `This needs the role ${route.role} or above.`, {
          hint: "Ask a lead, or use a token of that role.",
        }),
      );
    c.set("caller", identified.caller);
    c.set("tokenBoard", identified.tokenBoard);
    return next();
  });
}

type Identified = { ok: true; caller: Caller; tokenBoard: string | null } | Refusal;

async function identify(
  env: Env,
  header: string | undefined,
  boardId: string | undefined,
): Promise<Identified> {
  const token = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
  if (token === undefined) return refuse("unauthenticated", "Send a token: Authorization: Bearer <token>.");
  const operator = await isOperator(env, token);
  const verified = operator ? null : await verifyBoardToken(env, token);
  if (verified !== null && !verified.ok) return verified;
  const strange = verified !== null && boardId !== undefined && verified.verified.board !== boardId;
  if (strange || (boardId !== undefined && !boardIdSchema.safeParse(boardId).success))
    return refuse("board_not_found", "There is no such board, or this token is not for it.");
  if (verified === null) return { ok: true, caller: OPERATOR, tokenBoard: null };
  return { ok: true, caller: verified.verified.caller, tokenBoard: verified.verified.board };
}

/** Compared in constant time, by digest, so that neither the text nor its length leaks. */
async function isOperator(env: Env, token: string): Promise<boolean> {
  const secret = env.EDGEBOARD_OPERATOR_TOKEN;
  if (secret === undefined || secret.length < OPERATOR_TOKEN_MIN) return false;
  const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const [given, wanted] = await Promise.all([digest(token), digest(secret)]);
  return crypto.subtle.timingSafeEqual(given, wanted);
}
