/** Bodies that are too large, too deep, too slow, or not what they say. */
import { connect, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { must } from "../scene.ts";
import { type Answer, isHungUp, sendRaw } from "../wire.ts";
import { type Attack, bearer, type Ground, stillServes, tried, unless } from "./attack.ts";

const TEN_MB = 10_000_000;
const TOO_LARGE = "413 body_too_large";
const INVALID = "400 invalid_request";
/** Longer than this, and one caller's patience is another's loss. */
const PROMPT_MS = 5_000;
const SLOW = 40;

const post = (
  ground: Ground,
  below: string,
  body: Buffer,
  headers: Record<string, string> = {},
  chunked = false,
) =>
  tried(
    ...([ground.deployment, "POST", `/boards/${ground.own.board}${below}`] as const),
    { ...bearer(ground.own.tokens.lead), ...headers },
    ...([body, { chunked }] as const),
  );

/** A server that has read enough may close the connection before it has been sent everything. */
function hungUp(error: NodeJS.ErrnoException): null {
  if (isHungUp(error)) return null;
  throw error;
}

/** The same, seen by the local server's own proxy, which then answers in our place: no word of ours is in it. */
const isCutOff = ({ status, headers, text }: Answer): boolean =>
  status === 500 &&
  headers["content-type"]?.startsWith("text/plain") === true &&
  /^Error: Network connection lost/.test(text);

const seqOf = async ({ deployment, own }: Ground): Promise<number> =>
  (await must(deployment, "GET", `/boards/${own.board}`)).seq;

export const BODIES: Attack[] = [
  {
    name: "ten megabytes are refused, whether they are announced or not",
    act: async (ground) => {
      const large = Buffer.alloc(TEN_MB, 0x20);
      const faults: string[] = [];
      for (const chunked of [false, true])
        for (const below of ["/tasks", "/plans", "/import?format=beads", "/claims", "/heartbeats"]) {
          const answer = await post(ground, below, large, {}, chunked).catch(hungUp);
          if (answer !== null && !isCutOff(answer))
            faults.push(...unless(`${below} chunked ${chunked}`, answer, TOO_LARGE));
        }
      faults.push(...(await stillServes(ground)));
      return faults;
    },
  },
  {
    name: "JSON a hundred thousand levels deep is refused",
    act: async (ground) => {
      const depth = 100_000;
      const forms = [
        "[".repeat(depth),
        "[".repeat(depth) + "]".repeat(depth),
        `{"title":${"[".repeat(depth)}${"]".repeat(depth)}}`,
        `${'{"a":'.repeat(depth / 2)}1${"}".repeat(depth / 2)}`,
      ];
      const faults: string[] = [];
      for (const form of forms)
        for (const below of ["/tasks", "/plans", "/claims"]) {
          const answer = await post(ground, below, Buffer.from(form));
          faults.push(...unless(`${below} ${form.slice(0, 12)}`, answer, INVALID, TOO_LARGE));
        }
      const source = await post(
        ground,
        "/import?format=taskmaster",
        Buffer.from(`{"master":{"tasks":${forms[1]}}}`),
      );
      return [...faults, ...unless("an import", source, "422 import_invalid", INVALID)];
    },
  },
  {
    name: "a body that says it is compressed is not unpacked",
    act: async (ground) => {
      const before = await seqOf(ground);
      const small = gzipSync('{"title":"packed"}');
      const bomb = gzipSync(Buffer.alloc(200_000_000, 0x20));
      const faults: string[] = [];
      for (const encoding of ["gzip", "deflate", "br", "zstd", "gzip, gzip"])
        faults.push(
          ...unless(encoding, await post(ground, "/tasks", small, { "content-encoding": encoding }), INVALID),
        );
      const began = performance.now();
      const answer = await post(ground, "/tasks", bomb, { "content-encoding": "gzip" });
      if (performance.now() - began > PROMPT_MS) faults.push("a bomb took long");
      faults.push(...unless("a bomb", answer, INVALID, TOO_LARGE));
      return (await seqOf(ground)) === before ? faults : [...faults, "it changed the board"];
    },
  },
  {
    name: "a body that is shorter than it says changes nothing",
    act: async (ground) => {
      const { deployment, own } = ground;
      const before = await seqOf(ground);
      const head = headOf(ground, 10_000);
      await sendRaw(deployment.url, [head, '{"title":"cut"}'], 500);
      await sendRaw(
        deployment.url,
        [head.replace(/content-length: \d+/, "transfer-encoding: chunked"), 'f\r\n{"title":'],
        500,
      );
      const after = await seqOf(ground);
      return after === before ? [] : [`seq ${before} → ${after} on ${own.board}`];
    },
  },
  {
    name: `${SLOW} bodies that trickle in hold nobody up`,
    act: async (ground) => {
      const { hostname, port } = new URL(ground.deployment.url);
      const sockets: Socket[] = Array.from({ length: SLOW }, () => connect(Number(port), hostname));
      for (const socket of sockets) {
        socket.on("error", () => {});
        socket.write(`${headOf(ground, 200_000)}{"title":"`);
      }
      const trickle = setInterval(() => {
        for (const socket of sockets) if (socket.writable) socket.write("x");
      }, 50);
      const faults: string[] = [];
      for (let count = 0; count < 10; count++) {
        const began = performance.now();
        await stillServes(ground);
        const took = performance.now() - began;
        if (took > PROMPT_MS) faults.push(`another caller waited ${Math.round(took)} ms`);
      }
      clearInterval(trickle);
      for (const socket of sockets) socket.destroy();
      return faults;
    },
  },
];

/** The head of a request that makes a task, with this many bytes to follow. */
const headOf = ({ deployment, own }: Ground, bytes: number): string =>
  `POST /api/v1/boards/${own.board}/tasks HTTP/1.1\r\nhost: ${new URL(deployment.url).host}\r\n` +
  `authorization: Bearer ${own.tokens.lead}\r\ncontent-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`;
