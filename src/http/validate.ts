/** Reads what a request carries, or says exactly what is wrong with it. */
import type { HonoRequest } from "hono";
import type * as z from "zod";
import { IDEMPOTENCY_KEY_MAX } from "../contract/limits.ts";
import { type Refusal, refuse } from "../contract/result.ts";
import type { Route } from "../contract/route.ts";

export type Read<T> = { ok: true; value: T } | Refusal;

export function readQuery(route: Route, request: HonoRequest): Read<unknown> {
  const { searchParams } = new URL(request.url);
  // From entries, so that a parameter called __proto__ is one like any other.
  const given = Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
  if (route.query !== undefined) return parse(route.query, given);
  const [unknown] = Object.keys(given);
  return unknown === undefined
    ? { ok: true, value: {} }
    : invalid([{ path: unknown, message: "is not a parameter of this call" }]);
}

export interface ReadBody {
  /** As it came, for the idempotency hash and for imports. */
  text: string;
  json: unknown;
}

export async function readBody(route: Route, request: HonoRequest): Promise<Read<ReadBody>> {
  if (route.body === undefined && route.textBody === undefined)
    return { ok: true, value: { text: "", json: undefined } };
  const bytes = await request.arrayBuffer();
  const text = decode(bytes);
  if (text === null) return invalid([{ path: "", message: "the body is not UTF-8" }]);
  const type = (request.header("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
  const wanted = route.textBody?.types ?? ["application/json"];
  if (text !== "" && !wanted.includes(type))
    return refuse("unsupported_media_type", `Send ${wanted.join(", ")}.`, { accepts: wanted });
  if (route.textBody !== undefined) return { ok: true, value: { text, json: undefined } };
  if (route.body === undefined) return { ok: true, value: { text, json: undefined } };
  const json = text === "" ? {} : parseJson(text);
  if (json === undefined) return invalid([{ path: "", message: "the body is not JSON" }]);
  const parsed = parse(route.body, json);
  return parsed.ok ? { ok: true, value: { text, json: parsed.value } } : parsed;
}

/** 1–128 visible characters. */
export function readIdempotencyKey(request: HonoRequest): Read<string | null> {
  const key = request.header("idempotency-key");
  if (key === undefined) return { ok: true, value: null };
  if (key.length <= IDEMPOTENCY_KEY_MAX && /^[\x21-\x7e]+$/.test(key)) return { ok: true, value: key };
  return invalid([
    { path: "Idempotency-Key", message: `must be 1 to ${IDEMPOTENCY_KEY_MAX} visible characters` },
  ]);
}

export interface Conditions {
  ifVersion: number | null;
  ifChangeSeq: number | null;
}

export function readConditions(request: HonoRequest): Read<Conditions> {
  const match = request.header("if-match");
  const seq = request.header("if-match-seq");
  const version = match === undefined || match === "*" ? null : /^(?:W\/)?"(\d{1,15})"$/.exec(match)?.[1];
  if (version === undefined)
    return invalid([{ path: "If-Match", message: 'must be the task\'s ETag, such as "3"' }]);
  if (seq !== undefined && !/^\d{1,15}$/.test(seq))
    return invalid([{ path: "If-Match-Seq", message: "must be the task's changeSeq" }]);
  return {
    ok: true,
    value: {
      ifVersion: version === null ? null : Number(version),
      ifChangeSeq: seq === undefined ? null : Number(seq),
    },
  };
}

export function invalid(issues: { path: string; message: string }[]): Refusal {
  return refuse("invalid_request", "The request is not valid; see issues.", { issues });
}

export function parse(schema: z.ZodType, value: unknown): Read<unknown> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return { ok: true, value: parsed.data };
  return invalid(parsed.error.issues.flatMap(describe));
}

/** An unknown key is named itself; everything else is named by its path. */
function describe(issue: z.core.$ZodIssue): { path: string; message: string }[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => ({ path: [...path, key].join("."), message: "is not known" }));
  return [{ path: path.join("."), message: issue.message }];
}

function decode(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
