/** What every answer has to hold, whatever was asked. */
import { REASONS, type Reason } from "../../src/contract/reasons.ts";
import { retryAfterOf, statusOf } from "../../src/http/problem.ts";
import type { Interface, Operation } from "./interface.ts";
import type { Draft } from "./requests.ts";
import type { Scene } from "./scene.ts";
import type { Answer, Sent } from "./wire.ts";

/** A board whose words are somebody's secret. */
export interface Guarded {
  board: string;
  canary: string;
}

/** What no refusal may quote: statements, storage, frames, files of this machine, tokens. */
const INSIDES = [
  /\b(?:select|insert into|delete from|update)\b [^"]{0,200}\b(?:from|values|set|where)\b/i,
  /SQLITE|SqlError|constraint failed|sql:/i,
  /\bat (?:async )?[\w.<>]+ ?\(|\.ts:\d|\.js:\d|node_modules|file:\/\//,
  /\/(?:tmp|home|root|work|usr|etc)\//,
  /eyJ[\w-]{8,}\.[\w-]+\.[\w-]+/,
  /TypeError|ReferenceError|RangeError|SyntaxError|ZodError|DOMException/,
];

export interface Asked {
  draft: Draft;
  /** The call that it was in the end. */
  hit: Operation | undefined;
  sent: Sent;
  answer: Answer;
}

/** Everything that is wrong with an answer; nothing, mostly. */
export function faultsOf(asked: Asked, scene: Scene, api: Interface, guarded: readonly Guarded[]): string[] {
  return [
    ...strangersWords(asked, scene, guarded),
    ...secrets(asked, scene),
    ...(asked.answer.status < 400 ? successFaults(asked) : refusalFaults(asked, api)),
  ];
}

/** Without what a type says besides, such as its characters. */
const mediaType = (type: string | null | undefined): string | null => type?.split(";")[0] ?? null;

/** A success is one the call describes, of the type and the shape it describes. */
function successFaults({ hit, sent, answer: { status, headers, text, json } }: Asked): string[] {
  const described = hit?.answers.get(status);
  if (described === undefined) return [`${status} is not described`];
  const { type, check } = described;
  const faults = [];
  if (headers["cache-control"] !== "no-store" && status !== 101) faults.push("may be kept by a cache");
  if (sent.method === "HEAD") return text === "" ? faults : [...faults, "HEAD has a body"];
  const given = mediaType(headers["content-type"]);
  if (given !== mediaType(type)) faults.push(`is ${given}, not ${type}`);
  if (type === null && text !== "") faults.push("has a body");
  const wrong = check?.(json) ?? null;
  if (wrong !== null) faults.push(`is not of its shape: ${wrong}`);
  return faults;
}

/** A refusal is a problem of the closed list, under the status of its code, and tells nothing of the insides. */
function refusalFaults({ hit, sent, answer }: Asked, api: Interface): string[] {
  const { status, headers, text, json } = answer;
  const faults = [];
  if (status >= 500 && status !== 503 && status !== 507) faults.push(`is a ${status}`);
  if (headers["content-type"] !== "application/problem+json") faults.push(`is ${headers["content-type"]}`);
  if (headers["x-request-id"] === undefined) faults.push("has no request id");
  if (sent.method === "HEAD") return faults;
  if (api.problem(json) !== null) return [...faults, "is no problem of the described shape"];
  const code: Reason = json.code;
  if (!REASONS.includes(code)) return [...faults, `says ${code}, which is on no list`];
  if (statusOf(code) !== status || json.status !== status) faults.push(`says ${code} with ${status}`);
  const codes = hit?.codes ?? new Set(["route_not_found", "method_not_allowed", "rate_limited"]);
  if (!codes.has(code)) faults.push(`says ${code}, which it does not describe`);
  if (json.requestId !== headers["x-request-id"]) faults.push("names another request");
  const waits = retryAfterOf(code) !== null;
  if (json.retryable !== waits || (headers["retry-after"] !== undefined) !== waits)
    faults.push("is not clear about coming again");
  const said = decoded(sent);
  for (const inside of INSIDES) {
    const quoted = inside.exec(text)?.[0];
    if (quoted !== undefined && !said.includes(quoted))
      faults.push(`tells of the insides: ${quoted.slice(0, 80)}`);
  }
  return faults;
}

/** What was sent may be named in a refusal; here in all the ways it may have been read. */
function decoded({ target, headers, body }: Sent): string {
  const texts = [target, ...Object.values(headers), body?.toString("utf8") ?? ""];
  return texts.flatMap((text) => [text, unescaped(text)]).join("\n");
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** Nobody hears words of a board that is not theirs. */
function strangersWords({ draft, hit, answer }: Asked, scene: Scene, guarded: readonly Guarded[]): string[] {
  // With spoilt credentials nobody is anybody; the operator leads every board.
  if (draft.caller === "operator") return [];
  const own = draft.caller === "none" ? null : draft.caller === "stranger" ? guarded[0]?.board : scene.board;
  const words = JSON.stringify(answer.headers) + answer.text;
  // A board's own token in a body is answered with who that is.
  const session = hit?.id === "openSession" && answer.status === 200;
  return guarded
    .filter(({ board, canary }) => board !== own && words.includes(canary) && !session)
    .map(({ board }) => `tells ${draft.caller} of ${own} words of board ${board}`);
}

/** No answer has the secrets of the deployment, nor a token that was not made by this very call. */
function secrets({ sent, answer }: Asked, { operatorToken, signingKey, tokens }: Scene): string[] {
  const said = decoded(sent);
  const words = JSON.stringify(answer.headers) + answer.text;
  return [operatorToken, signingKey, ...Object.values(tokens)]
    .filter((secret): secret is string => secret !== null && words.includes(secret))
    .map((secret) => (said.includes(secret) ? "repeats a token" : "tells a secret"));
}
