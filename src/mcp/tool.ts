/** A tool as a value. What it does is one or a few operations of the board, the same that REST calls. */
import type * as z from "zod";
import type { Result } from "../contract/result.ts";
import type { Route } from "../contract/route.ts";
import type { Session } from "./session.ts";

export interface Tool {
  name: string;
  title: string;
  description: string;
  /** The routes it stands for: the caller needs the role of every one of them. */
  routes: readonly Pick<Route, "role">[];
  /** It changes nothing. */
  reads: boolean;
  /** The same call again changes nothing more. */
  repeats: boolean;
  /** Flat and strict: some clients reject unions, references and unknown keys go unnoticed otherwise. */
  input: z.ZodType;
  output: z.ZodType;
  run: (session: Session, input: never) => Promise<Result<object>>;
}

interface Definition<I extends z.ZodType, O extends z.ZodType> extends Tool {
  input: I;
  output: O;
  run: (session: Session, input: z.output<I>) => Promise<Result<z.output<O> & object>>;
}

export function tool<I extends z.ZodType, O extends z.ZodType>(definition: Definition<I, O>): Tool {
  return definition;
}
