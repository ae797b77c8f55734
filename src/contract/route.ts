/**
 * A route as a value: everything its server, its clients and its documentation have to agree on. The handlers
 * live in `src/http/routes`.
 */
import type * as z from "zod";
import type { Reason } from "./reasons.ts";
import type { Role } from "./roles.ts";

export interface Route {
  /** The name clients call it by. */
  id: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the base, with Hono's `:params`. */
  path: string;
  tag: string;
  summary: string;
  /** The least role that may call; `null`: no token at all. */
  role: Role | null;
  query?: z.ZodType;
  body?: z.ZodType;
  /** Anything but JSON, taken as text. */
  textBody?: { types: string[]; description: string };
  maxBytes?: number;
  /** Takes an `Idempotency-Key`. */
  keyed?: boolean;
  /** Takes `If-Match` and `If-Match-Seq`. */
  conditional?: boolean;
  /** Answered as text instead of JSON. */
  textAnswer?: { type: string; description: string };
  /** Answers by status; null: no body, or a text. */
  answers: Record<number, z.ZodType | null>;
  /** Refusals of this route, beyond those every route has. */
  refuses: readonly Reason[];
}

/** Keeps the precise type of what is written. */
export function route<const R extends Route>(definition: R): R {
  return definition;
}

export type BodyOf<R extends Route> = R extends { body: infer B extends z.ZodType } ? z.output<B> : undefined;
export type QueryOf<R extends Route> = R extends { query: infer Q extends z.ZodType }
  ? z.output<Q>
  : Record<string, never>;

type ParamNames<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? ParamNames<Head> | ParamNames<Tail>
  : Path extends `:${infer Name}`
    ? Name
    : never;

export type ParamsOf<R extends Route> = Record<ParamNames<R["path"]>, string>;

export const BASE = "/api/v1";
