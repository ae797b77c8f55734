/** Text, numbers and identifiers as they come over the wire. Text is kept exactly; lengths count code points. */
import * as z from "zod";
import * as limits from "./limits.ts";

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

function isStorable(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** Text of at most `max` code points, without NUL and lone surrogates. */
export function text(max: number) {
  return z
    .string()
    .refine(isStorable, "must not contain NUL or lone surrogates")
    .refine((value) => value.length <= max || codePoints(value) <= max, `must have at most ${max} characters`)
    .meta({ maxLength: max });
}

/** The same, with at least one character that is not white space. */
export function filledText(max: number) {
  return text(max)
    .refine((value) => value.trim() !== "", "must not be blank")
    .meta({ minLength: 1, maxLength: max });
}

export const title = filledText(limits.TITLE_MAX);
export const longText = text(limits.TEXT_MAX);
export const label = filledText(limits.LABEL_MAX);
export const reference = filledText(limits.REFERENCE_MAX);
export const agentId = filledText(limits.AGENT_ID_MAX);
export const labels = z.array(label).max(limits.LABELS_MAX);
export const time = z.int().min(0).max(limits.TIME_MAX_MS).meta({ description: "Epoch milliseconds" });
export const priority = z.int().min(0).max(limits.PRIORITY_MAX);
export const money = z.number().min(0).max(1e9);
export const count = z.int().min(0).max(1e12);
export const leaseToken = z.string().max(2_000);

export const taskId = z.string().min(1).max(64).meta({ description: "A uuid, or n and the number" });

export const boardId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, "must match [a-z0-9][a-z0-9-]{0,62}");

/** Query values are text; these read numbers and flags out of them. */
export function queryInt(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,15}$/, "must be a whole number")
    .transform(Number)
    .pipe(z.int().min(min).max(max));
}

export const queryFlag = z.enum(["true", "false"]).transform((value) => value === "true");

/** A parameter that may be given several times. */
export function repeatable<T extends z.ZodType>(item: T) {
  return z.union([z.array(item), item.transform((value) => [value])]);
}

export const limitQuery = queryInt(1, limits.LIST_MAX).optional();
export const cursorQuery = z.string().min(1).max(500).optional();
