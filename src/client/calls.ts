/** What each route takes and answers, read off the contract's types. Nothing of this is left when the code runs. */
import type * as z from "zod";
import type { ParamsOf } from "../contract/route.ts";
import type { RouteName, Routes } from "./addresses.ts";

/** Numbers, flags and lists as such; they become text on their way. */
export type Query<N extends RouteName> = Routes[N] extends { query: infer Q extends z.ZodType }
  ? z.output<Q>
  : undefined;

export type Body<N extends RouteName> = Routes[N] extends { body: infer B extends z.ZodType }
  ? z.input<B>
  : Routes[N] extends { textBody: object }
    ? string
    : undefined;

type ValueOf<T> = T[keyof T];

export type Answer<N extends RouteName> = Routes[N] extends { textAnswer: object }
  ? ReadableStream<Uint8Array>
  : AnswerOf<ValueOf<Routes[N]["answers"]>>;

type AnswerOf<A> = A extends z.ZodType ? z.output<A> : undefined;

/** Left out where there is nothing to say, and optional where all of it is. */
type Given<Name extends string, T> = [T] extends [undefined]
  ? unknown
  : Record<never, never> extends T
    ? { [K in Name]?: T }
    : { [K in Name]: T };

/** All that goes into a call; `Known` are parameters of the path that the caller need not give. */
export type Input<N extends RouteName, Known extends string = never> = Given<
  "params",
  Omit<ParamsOf<Routes[N]>, Known>
> &
  Given<"query", Query<N>> &
  Given<"body", Body<N>>;

/** The body without its lease token: a lease adds its own. */
export type LeaseBody<N extends RouteName> = DistributiveOmit<Body<N>, "leaseToken">;

type DistributiveOmit<T, K extends string> = T extends unknown ? Omit<T, K> : never;

/** How one call is made; what is not said is the client's. */
export interface CallOptions {
  /** Ends the call, also between two tries. */
  signal?: AbortSignal | undefined;
  /** For routes that take one; by default each call has its own, the same for all its tries. */
  idempotencyKey?: string;
  /** Tries end after this; 0: there is one only. */
  budgetMs?: number;
  /** One try ends after this. */
  timeoutMs?: number;
  /** With `changeTask`: only if the task has this `version`. */
  ifVersion?: number;
  /** With `changeTask`: only if the task has this `changeSeq`. */
  ifChangeSeq?: number;
}
