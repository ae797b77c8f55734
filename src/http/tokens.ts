/**
 * Signed handles: board tokens and lease tokens. Made and verified here, in the Worker, from claims that are
 * stored elsewhere; the same claims always sign to the same token, so a lost answer can be given again.
 */
import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import * as z from "zod";
import type { Grant, LeaseGrant } from "../board/operations/grant.ts";
import type { Minted } from "../board/operations/tokens.ts";
import { type Refusal, refuse } from "../contract/result.ts";
import { type Caller, type LeaseProof, ROLES } from "../contract/roles.ts";

const ALGORITHM = "HS256";
const BOARD_TOKEN = "edgeboard+jwt";
const LEASE_TOKEN = "lease+jwt";
const SESSION_TOKEN = "session+jwt";

const boardClaims = z.object({
  sub: z.string(),
  board: z.string(),
  inc: z.string(),
  role: z.enum(ROLES).exclude(["operator"]),
  jti: z.string(),
  exp: z.number().optional(),
  runtime: z.string().optional(),
  caps: z.array(z.string()).optional(),
});

/**
 * A session is somebody's token without the token; the operator's has no board. A browser keeps 4 KB of it and drops
 * what is longer, so it leaves out what the board knows of the token anyway.
 */
const sessionClaims = z.object({
  sub: z.string(),
  board: z.string().nullable(),
  inc: z.string().nullable(),
  jti: z.string().nullable().default(null),
  role: z.enum(ROLES),
  exp: z.number(),
});

const leaseClaims = z.object({ inc: z.string(), exe: z.string(), epo: z.number() });

/** Who somebody is, and on which board; null: the operator, on all of them. */
export interface Identity {
  caller: Caller;
  tokenBoard: string | null;
  /** Epoch milliseconds; null: it does not expire. */
  expiresAt: number | null;
}

export type Identified = { ok: true; identity: Identity } | Refusal;

export async function signBoardToken(
  env: Env,
  board: string,
  { info, incarnation }: Minted,
): Promise<string> {
  const claims: JWTPayload = {
    sub: info.agentId,
    board,
    inc: incarnation,
    role: info.role,
    jti: info.id,
    ...(info.runtime === null ? {} : { runtime: info.runtime }),
    ...(info.capabilities.length === 0 ? {} : { caps: info.capabilities }),
    ...(info.expiresAt === null ? {} : { exp: Math.floor(info.expiresAt / 1000) }),
  };
  return sign(env, BOARD_TOKEN, claims);
}

export async function verifyBoardToken(env: Env, token: string): Promise<Identified> {
  const payload = await verify(env, BOARD_TOKEN, token);
  if (payload === "expired")
    return refuse("token_expired", "This token has expired.", { hint: "Ask a lead for a new one." });
  const claims = boardClaims.safeParse(payload);
  if (!claims.success) return refuse("unauthenticated", "This is not a token of this deployment.");
  const { sub, board, inc, role, jti, exp, runtime, caps } = claims.data;
  const caller = { sub, role, jti, inc, runtime: runtime ?? null, capabilities: caps ?? [] };
  return {
    ok: true,
    identity: { caller, tokenBoard: board, expiresAt: exp === undefined ? null : exp * 1000 },
  };
}

async function signLease(env: Env, lease: LeaseGrant): Promise<string> {
  return sign(env, LEASE_TOKEN, { inc: lease.incarnation, exe: lease.executionId, epo: lease.epoch });
}

/** What a claim was granted, with the token that proves it. */
export async function withLeaseToken(env: Env, grant: Grant) {
  const { incarnation: _incarnation, ...lease } = grant.lease;
  return { ...grant, lease: { ...lease, token: await signLease(env, grant.lease) } };
}

/** Absent stays absent; what we never signed proves nothing. The board compares the rest with its rows. */
export async function readLease(env: Env, token: string | undefined): Promise<LeaseProof | null> {
  if (token === undefined) return null;
  const claims = leaseClaims.safeParse(await verify(env, LEASE_TOKEN, token));
  if (!claims.success) return { kind: "unknown" };
  return {
    kind: "signed",
    incarnation: claims.data.inc,
    executionId: claims.data.exe,
    epoch: claims.data.epo,
  };
}

/** For a browser's cookie; it ends with `expiresAt`. */
export async function signSession(
  env: Env,
  { caller, tokenBoard }: Identity,
  expiresAt: number,
): Promise<string> {
  const { sub, role, jti, inc } = caller;
  return sign(env, SESSION_TOKEN, {
    sub,
    board: tokenBoard,
    inc,
    role,
    ...(jti === null ? {} : { jti }),
    exp: Math.floor(expiresAt / 1000),
  });
}

export async function verifySession(env: Env, token: string): Promise<Identified> {
  const payload = await verify(env, SESSION_TOKEN, token);
  const claims = sessionClaims.safeParse(payload);
  if (!claims.success)
    return payload === "expired"
      ? refuse("token_expired", "This session has ended.", { hint: "Sign in again." })
      : refuse("unauthenticated", "This is not a session of this deployment.");
  const { sub, board, inc, role, jti, exp } = claims.data;
  const caller = { sub, role, jti, inc, runtime: null, capabilities: [] };
  return { ok: true, identity: { caller, tokenBoard: board, expiresAt: exp * 1000 } };
}

async function sign(env: Env, typ: string, claims: JWTPayload): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, typ }).sign(key(env.EDGEBOARD_SIGNING_KEY));
}

/** Under the present key, or under the one before it while that is set. */
async function verify(env: Env, typ: string, token: string): Promise<JWTPayload | "expired" | null> {
  for (const secret of [env.EDGEBOARD_SIGNING_KEY, env.EDGEBOARD_SIGNING_KEY_PREVIOUS]) {
    if (!secret) continue;
    try {
      const { payload } = await jwtVerify(token, key(secret), { algorithms: [ALGORITHM], typ });
      return payload;
    } catch (error) {
      if (error instanceof errors.JWTExpired) return "expired";
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
  return null;
}

function key(secret: string): Uint8Array {
  return new TextEncoder().encode(secret);
}
