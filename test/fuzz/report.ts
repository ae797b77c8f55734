/** What was found, so that somebody can have it again: the request as a line for a shell, without its token. */
import type { Answer, Sent } from "./wire.ts";

const SHOWN = 30;
/** Of one kind of fault, a few are enough. */
const ALIKE = 3;

export class Report {
  readonly #seen = new Map<string, number>();
  readonly #secrets: readonly string[];
  faults = 0;

  /** `secrets`: what is shown of no request, besides tokens that can be told by their form. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
  }

  add(fault: string, about: { url: string; who?: string; sent?: Sent; answer?: Answer }): void {
    this.faults++;
    const alike = (this.#seen.get(kindOf(fault)) ?? 0) + 1;
    this.#seen.set(kindOf(fault), alike);
    if (alike > ALIKE || this.#seen.size > SHOWN) return;
    console.log(`FAILED ${about.who === undefined ? "" : `${about.who}: `}${fault}`);
    if (about.sent !== undefined) console.log(`       ${curl(about.url, about.sent, this.#secrets)}`);
    if (about.answer !== undefined)
      console.log(
        `       → ${about.answer.status} ${JSON.stringify(mask(about.answer.text.slice(0, 400), this.#secrets))}`,
      );
  }
}

/** Without what differs from request to request. */
const kindOf = (what: string): string => what.replace(/[\da-f-]{8,}|\d+/g, "#").slice(0, 120);

const BODY_SHOWN = 600;

/** It can be pasted, once what is masked is put in: `$TOKEN` is that of the role that is named. */
export function curl(url: string, sent: Sent, secrets: readonly string[]): string {
  const { method, target, headers, body, chunked } = sent;
  const masked = Object.entries(headers)
    .filter(([name]) => name !== "host")
    .map(([name, value]) => `-H ${quoted(`${name}: ${mask(value, secrets)}`)}`);
  if (chunked === true) masked.push("-H 'transfer-encoding: chunked'");
  const text = body === null ? [] : [`--data-binary ${quoted(mask(body.toString("utf8"), secrets))}`];
  return ["curl -sS --path-as-is -X", method, ...masked, ...text, quoted(url + mask(target, secrets))].join(
    " ",
  );
}

function mask(text: string, secrets: readonly string[]): string {
  const signed = text.replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "$TOKEN");
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, "$SECRET"), signed);
}

function quoted(text: string): string {
  const shown = text.length > BODY_SHOWN ? `${text.slice(0, BODY_SHOWN)}…(${text.length} characters)` : text;
  return `$'${JSON.stringify(shown).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
