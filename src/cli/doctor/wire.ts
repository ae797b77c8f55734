/** One request, looked at as a whole: the client keeps headers and strangers' answers to itself. */
import { Unreachable } from "../../client/errors.ts";
import type { AtServer } from "./check.ts";

export interface Heard {
  status: number;
  headers: Headers;
  text: string;
  /** Null where it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: what a stranger answers has any shape
  json: any;
  /** On this machine's wall clock. */
  sentAt: number;
  heardAt: number;
}

export interface Asked {
  method?: string;
  token?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

const WITHIN_MS = 10_000;

/** One try: an answer that has to be asked for twice is what is looked for here. */
export async function ask({ url, signal }: AtServer, path: string, asked: Asked = {}): Promise<Heard> {
  const { method = "GET", token, body, headers } = asked;
  const sentAt = Date.now();
  try {
    const response = await fetch(url + path, {
      method,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(WITHIN_MS)]),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const heardAt = Date.now();
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text), sentAt, heardAt };
  } catch (cause) {
    signal.throwIfAborted();
    throw new Unreachable(`${method} ${url}${path}`, cause, "nothing_changed", 1);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
