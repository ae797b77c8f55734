/** Who calls: decided before any board is touched. */
import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import { OPERATOR_TOKEN_MIN } from "../contract/limits.ts";
import { refuse } from "../contract/result.ts";
import type { Caller } from "../contract/roles.ts";
import type { Route } from "../contract/route.ts";
import { boardId as boardIdSchema } from "../contract/text.ts";
import { includesRole } from "../rules/roles.ts";
import { ACCESS_HEADER, accessOf, identifyPerson } from "./access.ts";
import type { Edge } from "./edge.ts";
import { problem } from "./problem.ts";
import { isOwnOrigin, readSession } from "./session.ts";
import { type Identified, verifyBoardToken, verifySession } from "./tokens.ts";

const OPERATOR: Caller = {
  sub: "operator",
  role: "operator",
  jti: null,
  inc: null,
  runtime: null,
  capabilities: [],
};

/** 401 without a good token, 404 with one of another board, 403 where the role is too small. */
export function authenticate(route: Pick<Route, "role">) {
  return createMiddleware<Edge>(async (c, next) => {
    if (route.role === null) return next();
    const identified = await identify(c);
    if (!identified.ok) return problem(c, identified);
    const { caller, tokenBoard, expiresAt } = identified.identity;
    const boardId = c.req.param("board");
    c.set("caller", caller);
    c.set("tokenBoard", tokenBoard);
    c.set("expiresAt", expiresAt);
    if (boardId !== undefined && !mayKnow(tokenBoard, boardId))
      return problem(c, refuse("board_not_found", "There is no such board, or this token is not for it."));
    if (!includesRole(caller.role, route.role))
      return problem(
        c,
        refuse("forbidden", `This needs the role ${route.role} or above.`, {
          hint: "Ask a lead, or use a token of that role.",
        }),
      );
    return next();
  });
}

function mayKnow(tokenBoard: string | null, boardId: string): boolean {
  return tokenBoard === null ? boardIdSchema.safeParse(boardId).success : tokenBoard === boardId;
}

/** By the token in the header, or else by what a browser sends along by itself. */
async function identify(c: Context<Edge>): Promise<Identified> {
  const header = c.req.header("authorization");
  const carried = header === undefined ? await identifyBrowser(c) : null;
  if (carried !== null)
    return isOwnOrigin(c) ? carried : refuse("forbidden", "This session is for our own pages only.");
  const token = /^Bearer +(\S+)$/i.exec(header ?? "")?.[1];
  if (token === undefined) return refuse("unauthenticated", "Send a token: Authorization: Bearer <token>.");
  return identifyToken(c.env, token);
}

/**
 * Who signed in here did so to be somebody in particular, and is; where that has ended, or nobody did, it is whom
 * Access names. Null: it carries neither.
 */
async function identifyBrowser(c: Context<Edge>): Promise<Identified | null> {
  const session = readSession(c);
  const signedIn = session === undefined ? null : await verifySession(c.env, session);
  if (signedIn?.ok === true) return signedIn;
  const access = accessOf(c.env);
  const assertion = access === null ? undefined : c.req.header(ACCESS_HEADER);
  return access === null || assertion === undefined ? signedIn : identifyPerson(access, assertion);
}

/** Whose token this is: the operator's, or one of a board. The board itself has the last word. */
export async function identifyToken(env: Env, token: string): Promise<Identified> {
  if (!(await isOperator(env, token))) return verifyBoardToken(env, token);
  return { ok: true, identity: { caller: OPERATOR, tokenBoard: null, expiresAt: null } };
}

/** Compared in constant time, by digest, so that neither the text nor its length leaks. */
async function isOperator(env: Env, token: string): Promise<boolean> {
  const secret = env.EDGEBOARD_OPERATOR_TOKEN;
  if (secret === undefined || secret.length < OPERATOR_TOKEN_MIN) return false;
  const digest = (text: string) => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const [given, wanted] = await Promise.all([digest(token), digest(secret)]);
  return crypto.subtle.timingSafeEqual(given, wanted);
}
