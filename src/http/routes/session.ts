/** Signing a browser in and out. */
import { base64url } from "jose";
import { boardStub } from "../../board/stub.ts";
import * as limits from "../../contract/limits.ts";
import { accept, refuse } from "../../contract/result.ts";
import { isPerson } from "../../contract/roles.ts";
import * as routes from "../../contract/routes/session.ts";
import { directoryStub } from "../../directory/lifecycle.ts";
import { identifyToken } from "../authenticate.ts";
import { answer, handle } from "../mount.ts";
import { sessionCookie } from "../session.ts";
import { type Identified, type Identity, signSession } from "../tokens.ts";
import { describe } from "./me.ts";

export const session = [
  handle(routes.openSession, async ({ env, body, url, meter }) => {
    const identified =
      body.token === undefined ? await redeem(env, body.code ?? "") : await identifyToken(env, body.token);
    if (!identified.ok) return identified;
    const { identity } = identified;
    const known = await describe(env, identity, meter);
    if (!known.ok) return known;
    const now = Date.now();
    const lifetimeS = identity.tokenBoard === null ? limits.OPERATOR_SESSION_S : limits.SESSION_S;
    const expiresAt = Math.min(now + lifetimeS * 1000, identity.expiresAt ?? Number.POSITIVE_INFINITY);
    const cookie = sessionCookie(
      url,
      await signSession(env, identity, expiresAt),
      Math.floor((expiresAt - now) / 1000),
    );
    return answer(
      known,
      200,
      (me) => me,
      () => ({ "set-cookie": cookie }),
    );
  }),

  handle(routes.linkSession, async ({ env, caller, tokenBoard, expiresAt: endsAt, url, meter }) => {
    if (isPerson(caller))
      return refuse("forbidden", "Access let you in, and it does so in every browser.", {
        hint: "Open the page there.",
      });
    const identity: Identity = { caller, tokenBoard, expiresAt: endsAt };
    const known = await describe(env, identity, meter);
    if (!known.ok) return known;
    const code = randomCode();
    const expiresAt = Date.now() + limits.SESSION_CODE_MS;
    if (tokenBoard !== null) {
      const noted = await boardStub(env, tokenBoard, meter).noteUse({ caller }, "sign_in_link");
      if (!noted.ok) return noted;
    }
    await directoryStub(env).saveSessionCode(
      { codeHash: await digest(code), identity: JSON.stringify(identity), expiresAt },
      { actorId: caller.sub, board: tokenBoard },
    );
    return answer(accept({ url: `${new URL(url).origin}/#code=${code}`, code, expiresAt }), 201);
  }),

  handle(routes.closeSession, async ({ url }) => ({
    status: 204,
    body: null,
    headers: { "set-cookie": sessionCookie(url, "", 0) },
  })),
];

async function redeem(env: Env, code: string): Promise<Identified> {
  const identity = await directoryStub(env).takeSessionCode(await digest(code));
  return identity === null
    ? refuse("unauthenticated", "This link was used, or is older than a minute.", { hint: "Make a new one." })
    : { ok: true, identity: JSON.parse(identity) };
}

/** 256 bits: nobody guesses it within its minute. */
function randomCode(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)));
}

async function digest(code: string): Promise<string> {
  return base64url.encode(
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(code))),
  );
}
