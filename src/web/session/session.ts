/** Who is signed in. The cookie says it to the server; the page only knows what the server says of it. */
import { useSyncExternalStore } from "react";
import { Refused } from "../../client/errors.ts";
import type { Me } from "../../contract/answers.ts";
import { ROLES, type Role } from "../../contract/roles.ts";
import { server } from "../server.ts";

export type Session =
  | { state: "asking" }
  | { state: "unreachable"; error: unknown }
  /** `why`: what the way in was refused for, where one was tried. */
  | { state: "out"; why: unknown }
  | { state: "in"; me: Me };

let session: Session = { state: "asking" };
const heard = new Set<() => void>();

function become(next: Session): void {
  session = next;
  for (const hear of heard) hear();
}

function onChange(hear: () => void): () => void {
  heard.add(hear);
  return () => heard.delete(hear);
}

export function useSession(): Session {
  return useSyncExternalStore(onChange, () => session);
}

/** By the code of a one-time link, where the address has one; else as the cookie says. */
export async function openPage(): Promise<void> {
  become({ state: "asking" });
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code === null) return look();
  // The address is shared and kept in histories: the code goes before anything else happens.
  history.replaceState(null, "", location.pathname + location.search);
  try {
    enter(await server.openSession({ code }));
  } catch (error) {
    await look(error);
  }
}

/** Whose token is for one board has come to see that one. */
function enter(me: Me): void {
  if (me.board !== null && location.pathname === "/") history.replaceState(null, "", `/b/${me.board}`);
  become({ state: "in", me });
}

async function look(why: unknown = null): Promise<void> {
  try {
    become({ state: "in", me: await server.me({ budgetMs: 5_000 }) });
  } catch (error) {
    become(error instanceof Refused ? { state: "out", why } : { state: "unreachable", error });
  }
}

/** Changes the token into a cookie; what is refused is thrown. */
export async function signIn(token: string): Promise<void> {
  enter(await server.openSession({ token }));
}

export async function signOut(): Promise<void> {
  const outOfAccess = session.state === "in" ? session.me.signOutUrl : undefined;
  await server.closeSession();
  // Access would let the next request in again.
  if (outOfAccess !== undefined) location.assign(outOfAccess);
  become({ state: "out", why: null });
}

/** The server no longer knows us. */
export function sessionEnded(): void {
  if (session.state === "in") become({ state: "out", why: null });
}

/** Whether a refusal says that we are no longer signed in; then the way in is shown. */
export function sessionEndedBy(error: unknown): boolean {
  const ended = Refused.is(error, "unauthenticated", "token_expired", "token_revoked");
  if (ended) sessionEnded();
  return ended;
}

/** Each role may what those before it may. */
export function mayAs(me: Me, role: Role): boolean {
  return ROLES.indexOf(me.role as Role) >= ROLES.indexOf(role);
}
