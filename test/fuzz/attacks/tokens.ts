/** Tokens that were made up, changed, or meant for something else. */
import { decodeJwt, type JWTPayload, SignJWT } from "jose";
import { must } from "../scene.ts";
import { type Attack, bearer, type Ground, tried, unless } from "./attack.ts";

const TYPE = "edgeboard+jwt";

async function forged(key: string, token: string, changes: JWTPayload, typ = TYPE, alg = "HS256") {
  const claims = { ...decodeJwt(token), ...changes };
  return new SignJWT(claims).setProtectedHeader({ alg, typ }).sign(new TextEncoder().encode(key));
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

/** Each token, and all that may be said to it. */
async function tampered({
  deployment: { signingKey },
  own,
  other,
}: Ground): Promise<[string, string, ...string[]][]> {
  const [worker, lead] = [own.tokens.worker as string, own.tokens.lead as string];
  const [head, claims, signature] = worker.split(".") as [string, string, string];
  const claimed = decodeJwt(worker);
  const strangers = { inc: decodeJwt(other.tokens.lead as string)["inc"] };
  const lease = own.holds[0]?.token as string;
  const no = "401 unauthenticated";
  return [
    ["alg none", `${encoded({ alg: "none", typ: TYPE })}.${claims}.`, no],
    ["alg none, signature kept", `${encoded({ alg: "none", typ: TYPE })}.${claims}.${signature}`, no],
    ["another algorithm", await forged(signingKey, worker, {}, TYPE, "HS512"), no],
    ["another key", await forged("another-key-that-is-long-enough-0123456789", worker, {}), no],
    ["an empty signature", `${head}.${claims}.`, no],
    ["claims of a lead", `${head}.${encoded({ ...claimed, role: "lead" })}.${signature}`, no],
    ["claims of the other board", `${head}.${encoded({ ...claimed, board: other.board })}.${signature}`, no],
    ["a lead's claims under a worker's signature", `${head}.${lead.split(".")[1]}.${signature}`, no],
    ["one character less", worker.slice(0, -1), no],
    ["one character more", `${worker}A`, no],
    ["one part more", `${worker}.${signature}`, no],
    ["no head", `.${claims}.${signature}`, no],
    ["spaces in it", `${head}. ${claims}.${signature}`, no],
    ["quotes around it", `"${worker}"`, no],
    ["padding", `${worker}==`, no],
    ["a lease token", lease, no],
    ["the type of a session", await forged(signingKey, worker, {}, "session+jwt"), no],
    ["the role of an operator", await forged(signingKey, worker, { role: "operator" }), no],
    ["one that has expired", await forged(signingKey, worker, { exp: 1_000_000 }), "401 token_expired"],
    ["one that was never minted", await forged(signingKey, worker, { jti: "none" }), "401 token_revoked"],
    ["another board's incarnation", await forged(signingKey, worker, strangers), "401 token_revoked"],
    ["the other board's own", other.tokens.lead as string, "404 board_not_found"],
    ["the operator's, shortened", own.operatorToken.slice(0, -1), no],
    ["the operator's, repeated", own.operatorToken.repeat(2), no],
  ];
}

export const TOKENS: Attack[] = [
  {
    name: "tampered tokens open nothing, whatever they are used for",
    act: async (ground) => {
      const { deployment, own } = ground;
      const path = `/boards/${own.board}`;
      const faults: string[] = [];
      for (const [what, token, ...allowed] of await tampered(ground)) {
        const read = await tried(deployment, "GET", `${path}/tasks`, bearer(token));
        const write = await tried(deployment, "POST", `${path}/tasks`, bearer(token), { title: what });
        faults.push(...unless(what, read, ...allowed), ...unless(what, write, ...allowed));
      }
      return faults;
    },
  },
  {
    name: "the scheme may be written in any case, and a token stands in no other place",
    act: async ({ deployment, own }) => {
      const path = `/boards/${own.board}`;
      const token = own.tokens.viewer as string;
      const as = (headers: Record<string, string>, query = "") =>
        tried(deployment, "GET", path + query, headers);
      return [
        ...unless("lower case", await as({ authorization: `bearer ${token}` }), "200"),
        ...unless(
          "twice",
          await as({ authorization: `Bearer ${token}, Bearer ${token}` }),
          "401 unauthenticated",
        ),
        ...unless("Basic", await as({ authorization: `Basic ${token}` }), "401 unauthenticated"),
        ...unless("bare", await as({ authorization: token }), "401 unauthenticated"),
        ...unless("in the query", await as({}, `?access_token=${token}`), "401 unauthenticated"),
        ...unless(
          "in another header",
          await as({ "x-authorization": `Bearer ${token}` }),
          "401 unauthenticated",
        ),
        ...unless("as a cookie", await as({ cookie: `edgeboard=${token}` }), "401 unauthenticated"),
      ];
    },
  },
  {
    name: "a lease token is nothing but the lease it was granted for",
    act: async ({ deployment, own, other }) => {
      const [hold] = own.holds;
      const path = `/boards/${own.board}/tasks/${hold?.taskId}/heartbeat`;
      const beat = (leaseToken: string | undefined) =>
        tried(deployment, "POST", path, bearer(own.tokens.worker), { leaseToken });
      return [
        ...unless("its own", await beat(hold?.token), "200"),
        ...unless("another task's", await beat(own.holds[1]?.token), "409 lease_lost"),
        ...unless("another board's", await beat(other.holds[0]?.token), "409 lease_lost"),
        ...unless("a board token", await beat(own.tokens.worker as string), "409 lease_lost"),
        ...unless(
          "alg none",
          await beat(`${encoded({ alg: "none" })}.${hold?.token.split(".")[1]}.`),
          "409 lease_lost",
        ),
      ];
    },
  },
  {
    name: "a token that was revoked is dead at once",
    act: async ({ deployment, own }) => {
      const path = `/boards/${own.board}`;
      const { token, info } = await must(deployment, "POST", `${path}/tokens`, {
        agentId: "gone",
        role: "lead",
      });
      await must(deployment, "DELETE", `${path}/tokens/${info.id}`);
      return unless("revoked", await tried(deployment, "GET", path, bearer(token)), "401 token_revoked");
    },
  },
];
