/**
 * While a release rolls out, a Worker of one release calls boards of the other for some minutes. What the two say to
 * each other may be added to and not changed: `calls-of-0.1.0.json` has what the release before says, and each test
 * has one side speak as that did. At a release the file is written anew:
 * `VITE_RECORD_CALLS=1 npx vitest run -u --project workers test/http/side-by-side.test.ts`.
 */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { BASE } from "../../src/contract/route.ts";
import { app } from "../../src/http/app.ts";
import type { Reply } from "../support/api.ts";
import { cut, lost, merge, type Shape, shapeOf } from "../support/shapes.ts";
import recorded from "./calls-of-0.1.0.json";
import { readReply } from "./support.ts";
import { Walk, walkThrough } from "./walk.ts";

/** By the board's methods: what they were asked with, and what they answered. */
type Calls = Record<string, { asked: Shape; answered: Shape }>;
const BEFORE: Calls = recorded;

type Say = (method: string, said: unknown) => unknown;
const exactly: Say = (_method, said) => said;

/** The walk through every route, with somebody in between who hears, and may change, what is said. */
async function overheard(asking: Say = exactly, answering: Say = exactly): Promise<Calls> {
  const heard: Calls = {};
  const between = (stub: Record<string, (...asked: unknown[]) => Promise<unknown>>) =>
    new Proxy(stub, {
      get(_stub, method: string) {
        if (method === "fetch" || method === "then") return Reflect.get(stub, method);
        return async (call: unknown, input: unknown) => {
          const said = asking(method, { call, input }) as { call: unknown; input?: unknown };
          const answer = answering(method, await stub[method]?.(said.call, said.input));
          const shapes = { asked: shapeOf(said), answered: shapeOf(answer) };
          const known = heard[method];
          heard[method] = known === undefined ? shapes : mergeCalls(known, shapes);
          return answer;
        };
      },
    });
  const BOARDS = {
    getByName: (name: string, options: object) => between(env.BOARDS.getByName(name, options) as never),
  };
  await walkThrough(new Walk((...asked) => send({ ...env, BOARDS } as never, ...asked)));
  return heard;
}

const mergeCalls = (one: Calls[string], other: Calls[string]) => ({
  asked: merge(one.asked, other.asked),
  answered: merge(one.answered, other.answered),
});

async function send(
  within: Env,
  ...[token, method, path, body, headers]: Parameters<typeof import("../support/api.ts").call>
): Promise<Reply> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const request = new Request(`https://edgeboard.test${BASE}${path}`, {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: text }),
  });
  return readReply(await app.fetch(request, within));
}

it("a Worker of the release before is understood by today's boards, and told all that it was told", async () => {
  const now = await overheard((method, said) => cut(said, BEFORE[method]?.asked));
  const missing = Object.entries(BEFORE).flatMap(([method, { answered }]) =>
    lost(answered, now[method]?.answered, method),
  );
  expect(missing).toEqual([]);
});

it("today's Worker gets along with boards of the release before, which tell it less", async () => {
  const now = await overheard(exactly, (method, said) => cut(said, BEFORE[method]?.answered));
  expect(Object.keys(now).length).toBeGreaterThan(50);
});

const { env: given } = import.meta as unknown as { env: Record<string, string> };

if (given["VITE_RECORD_CALLS"] !== undefined) it("what this release says is written down", record);

async function record(): Promise<void> {
  const lines = Object.entries(await overheard())
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([method, calls]) => `"${method}": ${JSON.stringify(calls)}`);
  await expect(`{\n${lines.join(",\n")}\n}\n`).toMatchFileSnapshot("./calls-of-0.1.0.json");
}
