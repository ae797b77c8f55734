/** Days as a row of bars needs them: every day once, oldest first, with nothing where nothing was. */
import { DAY_MS } from "../../contract/limits.ts";

/** The days that are offered to look back. */
export const SPANS = [7, 14, 30, 90] as const;
const SPAN = 14;

export function readSpan(text: string | null): number {
  return SPANS.find((span) => String(span) === text) ?? SPAN;
}

export interface DayValue {
  day: number;
  value: number;
}

/** `since` is where the first day began; all in UTC, as the board counts. */
export function everyDay<D extends { day: number }>(
  counted: readonly D[],
  since: number,
  days: number,
  count: (day: D) => number,
): DayValue[] {
  const known = new Map(counted.map((day) => [day.day, count(day)]));
  return Array.from({ length: days }, (_, index) => {
    const day = since + index * DAY_MS;
    return { day, value: known.get(day) ?? 0 };
  });
}

const name = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric", timeZone: "UTC" });

export function dayName(day: number): string {
  return name.format(day);
}
