/** Tokens as the board knows them: rows that allow, never secrets. */
import { accept, type Result, refuse } from "../../contract/result.ts";
import { tokenDue } from "../../rules/next-alarm.ts";
import { audit, type Context } from "../context.ts";
import type { TokenRow } from "../store/rows.ts";
import { lastBeatByToken, runningByToken } from "../store/running.ts";
import { findToken, insertToken, listTokens as readTokens, saveRevoked } from "../store/tokens.ts";
import { takeBack } from "./take-back.ts";

export interface MintToken {
  agentId: string;
  role: TokenRow["role"];
  runtime?: string;
  capabilities?: string[];
  expiresInS?: number;
}

export interface TokenInfo {
  id: string;
  agentId: string;
  role: TokenRow["role"];
  runtime: string | null;
  capabilities: string[];
  createdBy: string;
  createdAt: number;
  expiresAt: number | null;
  /** Exact to within five minutes; a beat counts. */
  lastUsedAt: number | null;
  revokedAt: number | null;
}

/** What the Worker signs into the token it hands out. */
export interface Minted {
  info: TokenInfo;
  incarnation: string;
}

export function mintToken(ctx: Context, input: MintToken): Result<Minted> {
  const row: TokenRow = {
    jti: ctx.newId(),
    agent_id: input.agentId,
    role: input.role,
    runtime: input.runtime ?? null,
    capabilities: JSON.stringify(input.capabilities ?? []),
    created_by: ctx.caller.sub,
    created_at: ctx.now,
    expires_at: input.expiresInS === undefined ? null : ctx.now + input.expiresInS * 1000,
    last_used_at: null,
    revoked_at: null,
    tenant_id: null,
  };
  insertToken(ctx.sql, row);
  if (row.expires_at !== null) ctx.due(tokenDue(row.expires_at));
  const info = viewToken(row, null);
  audit(ctx, "token_minted", { data: { token: row.jti, agentId: row.agent_id, role: row.role } });
  ctx.log.append({ seq: ctx.log.reserve(), kind: "token_minted", data: { token: info } });
  return accept({ info, incarnation: ctx.board.incarnation });
}

export interface TokenPage {
  tokens: TokenInfo[];
  hasMore: boolean;
  nextCursor: string | null;
}

export function listTokens(ctx: Context, input: { after: string; limit: number }): Result<TokenPage> {
  const rows = readTokens(ctx.sql, input.after, input.limit + 1);
  const beats = lastBeatByToken(ctx.sql);
  const shown = rows.slice(0, input.limit);
  const hasMore = rows.length > input.limit;
  return accept({
    tokens: shown.map((row) => viewToken(row, beats.get(row.jti) ?? null)),
    hasMore,
    nextCursor: hasMore ? (shown.at(-1)?.jti ?? null) : null,
  });
}

export type Identity = Pick<TokenInfo, "agentId" | "role" | "runtime" | "capabilities" | "expiresAt">;

/** The caller's own token, as its row says. */
export function whoAmI(ctx: Context): Result<Identity> {
  const row = ctx.caller.jti === null ? null : findToken(ctx.sql, ctx.caller.jti);
  if (row === null) return refuse("token_not_found", "This caller has no token on this board.");
  const { agentId, role, runtime, capabilities, expiresAt } = viewToken(row, null);
  return accept({ agentId, role, runtime, capabilities, expiresAt });
}

/** The token works no more, and what was claimed with it goes back to the queue in the same write. */
export function revokeToken(ctx: Context, id: string): Result<{ revoked: true }> {
  const token = findToken(ctx.sql, id);
  if (token === null) return refuse("token_not_found", "There is no such token on this board.");
  if (token.revoked_at !== null) return accept({ revoked: true });
  saveRevoked(ctx.sql, id, ctx.now);
  ctx.due(tokenDue(ctx.now));
  ctx.tokenEnded(id);
  audit(ctx, "token_revoked", { data: { token: id, agentId: token.agent_id } });
  ctx.log.append({
    seq: ctx.log.reserve(),
    kind: "token_revoked",
    data: { tokenId: id, agentId: token.agent_id },
  });
  for (const execution of runningByToken(ctx.sql, id))
    takeBack(ctx, execution, { via: "revoke", status: "cancelled", reason: "revoked" });
  return accept({ revoked: true });
}

export function viewToken(row: TokenRow, lastBeatAt: number | null): TokenInfo {
  const used = Math.max(row.last_used_at ?? 0, lastBeatAt ?? 0);
  return {
    id: row.jti,
    agentId: row.agent_id,
    role: row.role,
    runtime: row.runtime,
    capabilities: JSON.parse(row.capabilities),
    createdBy: row.created_by,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: used === 0 ? null : used,
    revokedAt: row.revoked_at,
  };
}

/** The token the board was made with: the oldest one. */
export function firstToken(ctx: Context): Minted {
  const [row] = readTokens(ctx.sql, "", 1);
  if (row === undefined) throw new Error("a board is made with a token");
  return { info: viewToken(row, null), incarnation: ctx.board.incarnation };
}
