/**
 * People, as Cloudflare Access knows them: it asks who somebody is before a request comes here, and says so in a token
 * of its own. Off unless the deployment names its team and application; then that token is looked at, never trusted.
 */
import { createRemoteJWKSet, errors, jwtVerify } from "jose";
import * as z from "zod";
import { refuse } from "../contract/result.ts";
import type { Caller } from "../contract/roles.ts";
import type { Identified } from "./tokens.ts";

export const ACCESS_HEADER = "cf-access-jwt-assertion";
/** Where a browser is signed out of Access, on every host behind it. */
export const ACCESS_SIGN_OUT = "/cdn-cgi/access/logout";

/** Each request of a person would wait for the keys. */
const KEYS_WAIT_MS = 3_000;

export interface Access {
  team: string;
  audience: string;
  /** Addresses, and domains with their @. */
  leads: string[];
}

/** A service that passed Access has no address: it sends a token of ours. */
const personClaims = z.object({ email: z.string().includes("@"), exp: z.number() });

/** Null: people do not come in this way. Half a configuration is none. */
export function accessOf(env: Env): Access | null {
  const { EDGEBOARD_ACCESS_TEAM: team, EDGEBOARD_ACCESS_AUD: audience } = env;
  if (!team || !audience) return null;
  const leads = (env.EDGEBOARD_ACCESS_LEADS ?? "").split(",").map((lead) => lead.trim().toLowerCase());
  return {
    team: team.replace(/^https:\/\//, "").replace(/\/$/, ""),
    audience,
    leads: leads.filter((lead) => lead !== ""),
  };
}

/** Somebody on every board: as lead who is named one, else as viewer. */
export async function identifyPerson(access: Access, assertion: string): Promise<Identified> {
  try {
    const { payload } = await jwtVerify(assertion, keysOf(access.team), {
      algorithms: ["RS256"],
      issuer: `https://${access.team}`,
      audience: access.audience,
      requiredClaims: ["exp"],
    });
    const claims = personClaims.safeParse(payload);
    if (!claims.success) return refuse("unauthenticated", "Access names nobody here: send a token.");
    const sub = claims.data.email.toLowerCase();
    const role = isNamed(access.leads, sub) ? "lead" : "viewer";
    const caller: Caller = { sub, role, jti: null, inc: null, runtime: null, capabilities: [] };
    return { ok: true, identity: { caller, tokenBoard: null, expiresAt: claims.data.exp * 1000 } };
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      return refuse("token_expired", "What Access says of you has ended.", {
        hint: "Sign in to Access again.",
      });
    if (isAboutToken(error))
      return refuse("unauthenticated", "This is not from the Access of this deployment.");
    console.warn(JSON.stringify({ message: "no keys of Access", team: access.team, error: nameOf(error) }));
    return refuse("sign_in_unavailable", "The keys of Access cannot be had, so nobody can be let in by it.");
  }
}

function isNamed(leads: readonly string[], mail: string): boolean {
  return leads.includes(mail) || leads.includes(mail.slice(mail.lastIndexOf("@")));
}

/** Whatever else went wrong is not the caller's doing, and lets nobody in either. */
function isAboutToken(error: unknown): boolean {
  return (
    error instanceof errors.JWTClaimValidationFailed ||
    error instanceof errors.JWTInvalid ||
    error instanceof errors.JWSInvalid ||
    error instanceof errors.JWSSignatureVerificationFailed ||
    error instanceof errors.JOSEAlgNotAllowed ||
    error instanceof errors.JOSENotSupported ||
    error instanceof errors.JWKSNoMatchingKey ||
    error instanceof errors.JWKSMultipleMatchingKeys
  );
}

const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error);

/** Kept for as long as the isolate lives; asked again when they are old, and for a key that is not among them. */
const known = new Map<string, ReturnType<typeof createRemoteJWKSet>>();

function keysOf(team: string): ReturnType<typeof createRemoteJWKSet> {
  const keys =
    known.get(team) ??
    createRemoteJWKSet(new URL(`https://${team}/cdn-cgi/access/certs`), {
      timeoutDuration: KEYS_WAIT_MS,
    });
  known.set(team, keys);
  return keys;
}
