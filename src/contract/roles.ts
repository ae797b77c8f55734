/** What a token may do; each role includes those before it. */
export const ROLES = ["viewer", "worker", "verifier", "lead", "operator"] as const;
export type Role = (typeof ROLES)[number];

/** Whom the log speaks of besides agents; no token may go by these names. */
export const RESERVED_IDS: readonly string[] = ["operator", "board"];

/** Roles a token can be minted for. The operator is a secret of the deployment, never a row. */
export const TOKEN_ROLES = ["viewer", "worker", "verifier", "lead"] as const;

/** Who asks, as the verified token says. The body never adds to it. */
export interface Caller {
  /** The agent's id; `operator` for the deployment's own secret. */
  sub: string;
  role: Role;
  /** The token's row on the board; null for the operator, and for whom Access let in. */
  jti: string | null;
  /** The board incarnation the token was minted for; null with it. */
  inc: string | null;
  /** These two a browser's session does not say; the board knows them by the token's row. */
  runtime: string | null;
  capabilities: string[];
}

/** Whom Cloudflare Access let in: somebody on every board, without a token of ours. */
export function isPerson(caller: Caller): boolean {
  return caller.jti === null && caller.role !== "operator";
}

/** Whose share of a board's time this uses; null: the operator's, who has no bounds of his own. */
export function shareOf(caller: Caller): string | null {
  return caller.jti ?? (isPerson(caller) ? caller.sub : null);
}

/** What the Worker learned from a lease token: a handle it signed itself, or something it never signed. */
export type LeaseProof =
  | { kind: "signed"; incarnation: string; executionId: string; epoch: number }
  | { kind: "unknown" };
