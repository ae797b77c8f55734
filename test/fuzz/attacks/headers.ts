/** Headers that try to become something else, or are far too many. */
import { must } from "../scene.ts";
import { sendRaw } from "../wire.ts";
import { type Attack, type Ground, stillServes } from "./attack.ts";

const rawRequest = ({ deployment, own }: Ground, headers: string, body = '{"title":"raw"}'): string =>
  `POST /api/v1/boards/${own.board}/tasks HTTP/1.1\r\nhost: ${new URL(deployment.url).host}\r\n` +
  `authorization: Bearer ${own.tokens.lead}\r\ncontent-type: application/json\r\n${headers}\r\n${body}`;

const length = (body: string) => `content-length: ${body.length}\r\n`;
const BODY = '{"title":"raw"}';
const FRAMED = length(BODY);

/** Headers in the head of an answer, without the body. */
const headsOf = (answer: string): string => answer.split("\r\n\r\n")[0] ?? "";

const INJECTIONS = [
  "x-request-id: a\r\n x-evil: 1\r\n",
  "x-request-id: a%0d%0ax-evil: 1\r\n",
  "x-request-id: a\rx-evil: 1\r\n",
  "x-request-id: a\nx-evil: 1\r\n",
  "x-request-id: a\u0000x-evil: 1\r\n",
  "x-request-id: a\\r\\nx-evil: 1\r\n",
  "x-request-id: \u560a\u560dx-evil: 1\r\n",
  "idempotency-key: a\r\n x-evil: 1\r\n",
  "idempotency-key: a%0d%0ax-evil:%201\r\n",
  "idempotency-key: a\u0000b\r\n",
];

export const HEADERS: Attack[] = [
  {
    name: "no header of a request becomes one of an answer",
    act: async (ground) => {
      const faults: string[] = [];
      for (const injection of INJECTIONS) {
        const answer = await sendRaw(ground.deployment.url, [rawRequest(ground, injection + FRAMED)], 700);
        if (/^x-evil/im.test(headsOf(answer))) faults.push(JSON.stringify(injection));
        if (/^HTTP\/1\.1 5/.test(answer)) faults.push(`${JSON.stringify(injection)}: ${answer.slice(0, 60)}`);
      }
      return [...faults, ...(await stillServes(ground))];
    },
  },
  {
    name: "no body hides a second request",
    act: async (ground) => {
      const { deployment, own } = ground;
      const count = async () => (await must(deployment, "GET", `/boards/${own.board}`)).seq as number;
      const hidden = rawRequest(ground, FRAMED, BODY);
      const framings = [
        [`content-length: 4\r\ntransfer-encoding: chunked\r\n`, `0\r\n\r\n${hidden}`],
        [`transfer-encoding: chunked\r\ncontent-length: ${hidden.length}\r\n`, `0\r\n\r\n${hidden}`],
        [`transfer-encoding: xchunked\r\n`, `0\r\n\r\n${hidden}`],
        [`transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n`, `0\r\n\r\n${hidden}`],
        [`content-length: 0\r\ncontent-length: ${hidden.length}\r\n`, hidden],
        [`content-length: +5\r\n`, hidden],
        [`content-length: -1\r\n`, hidden],
      ] as const;
      const faults: string[] = [];
      for (const [headers, body] of framings) {
        const before = await count();
        const answer = await sendRaw(deployment.url, [rawRequest(ground, headers, body)], 700);
        const made = (await count()) - before;
        const clear = /^HTTP\/1\.1 4/.test(answer) && made <= 1;
        if (made > 1 || (!clear && made > 0))
          faults.push(`${JSON.stringify(headers)}: ${made} tasks, ${headsOf(answer)}`);
      }
      return faults;
    },
  },
  {
    name: "a flood of headers is refused or read, and nobody else notices",
    act: async (ground) => {
      const { url } = ground.deployment;
      const many = Array.from({ length: 20_000 }, (_, n) => `x-h${n}: ${n}\r\n`).join("");
      const long = `x-long: ${"a".repeat(2_000_000)}\r\n`;
      const tokens = `authorization: Bearer ${"a".repeat(500_000)}\r\n`;
      const faults: string[] = [];
      for (const flood of [many, long, tokens]) {
        const answer = await sendRaw(url, [rawRequest(ground, flood + FRAMED)], 3_000);
        if (/^HTTP\/1\.1 (?!503)5/.test(answer))
          faults.push(`${flood.slice(0, 20)}…: ${answer.slice(0, 60)}`);
        faults.push(...(await stillServes(ground)));
      }
      return faults;
    },
  },
];
