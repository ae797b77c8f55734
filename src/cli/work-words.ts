/** What a holder may say besides: what the next one has to know, and what was used. */
import type { Body } from "../client/calls.ts";
import type { Handoff } from "../contract/task.ts";
import type { Context } from "./context.ts";
import * as o from "./options.ts";
import { type Output, oneLine } from "./output.ts";
import { contentOf, parsedJson } from "./stdin.ts";

export const LEASE = o.text("--lease <token>", "the lease, where it is not kept here");

export const HANDOFF = {
  next: o.text("--next <text>", "what the next holder should do first"),
  handoff: o.file("--handoff <file>", "all the next holder has to know, as JSON; - is standard input"),
} as const;

export const USAGE = {
  inputTokens: o.whole("--input-tokens <n>", "tokens read since the last word"),
  outputTokens: o.whole("--output-tokens <n>", "tokens written since the last word"),
  cost: o.money("--cost <usd>", "dollars spent since the last word"),
} as const;

export async function handoffOf(
  context: Context,
  { next, handoff: file }: { next?: string | undefined; handoff?: string | undefined },
): Promise<Handoff | undefined> {
  const handoff = file === undefined ? {} : parsedJson(await contentOf(context, file), file);
  if (file === undefined && next === undefined) return undefined;
  return { ...(handoff as Handoff), ...(next === undefined ? {} : { next }) };
}

/** A secret that was sent is worth a word: whoever could read it here may have read it before. */
export function tellMasked(output: Output, masked: readonly string[] = []): void {
  if (masked.length === 0) return;
  output.note(
    `Secrets were masked in ${masked.map(oneLine).join(", ")}. Replace them where they are in use.`,
  );
}

type Usage = NonNullable<Body<"heartbeat">["usage"]>;

/** Only what was said. */
export function usageOf(said: {
  inputTokens?: number | undefined;
  outputTokens?: number | undefined;
  cost?: number | undefined;
}): Usage {
  const { inputTokens, outputTokens, cost } = said;
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(cost === undefined ? {} : { costUsd: cost }),
  };
}
