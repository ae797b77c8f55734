/**
 * A command as a value: its words, its help and what it does. A file of `commands/` has one as its default export,
 * and `commands.ts` names the file; parsing, help and completion are made from it.
 */
import type { Context } from "./context.ts";

/** An option, and in `read` how its text becomes a value. `Value` is what `run` is given. */
export interface Option<Value> {
  /** As the help shows it: `-p, --priority <n>`, or `--json` for a flag. */
  flags: string;
  about: string;
  choices?: readonly string[];
  /** May be given several times; the value is a list. */
  many?: boolean;
  /** Throws a `BadValue` with what it takes instead. */
  read?: (text: string) => unknown;
  /** What completion offers: files, or the tasks of the board. */
  completes?: "file";
  /** For the compiler alone. */
  value?: () => Value;
}

export interface Argument<Value> {
  about: string;
  optional: boolean;
  choices?: readonly string[];
  read?: (text: string) => unknown;
  completes?: "file";
  value?: () => Value;
}

type Arguments = Record<string, Argument<unknown>>;
type Options = Record<string, Option<unknown>>;

type ValueOf<T> = T extends { value?: () => infer V } ? V : never;

/** Everything that was said on the line, by the names of the definition. */
export type Input<A extends Arguments, O extends Options> = {
  [K in keyof A]: ValueOf<A[K]>;
} & { [K in keyof O]: ValueOf<O[K]> };

export interface Definition<A extends Arguments, O extends Options> {
  /** One line, without a full stop. */
  summary: string;
  /** More, for the command's own help. */
  details?: string;
  /** In their order; optional ones last. */
  args?: A;
  /** A key is the long flag in camel case: `notBefore` for `--not-before`. */
  options?: O;
  /** Each a whole line to type, and what it does. */
  examples: readonly (readonly [line: string, does: string])[];
  /** Says what it has to say through the context. A number is the exit code; without one it is 0. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most commands have nothing to return
  run(context: Context, input: Input<A, O>): Promise<number | void>;
}

export type Command = Definition<Arguments, Options>;

// biome-ignore lint/complexity/noBannedTypes: no arguments and no options are the empty record
export function command<A extends Arguments = {}, O extends Options = {}>(
  definition: Definition<A, O>,
): Command {
  return definition as unknown as Command;
}

/** What was typed cannot be used; the message says what can. */
export class BadValue extends Error {}
