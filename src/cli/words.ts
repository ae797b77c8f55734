/** Statuses, times, spans and money as people read them. */
import type { TaskStatus } from "../rules/status.ts";
import type { Colors } from "./output.ts";

export function statusColor(colors: Colors, status: string): (text: string) => string {
  const by: Partial<Record<TaskStatus, (text: string) => string>> = {
    in_progress: colors.cyan,
    in_review: colors.magenta,
    blocked: colors.red,
    done: colors.green,
    cancelled: colors.dim,
    backlog: colors.dim,
  };
  return by[status as TaskStatus] ?? String;
}

/** `90 s`, `12 min`, `3 h`, `5 d`: the unit in which it is a number one can grasp. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} d`;
}

export const ago = (at: number, now = Date.now()): string => `${span(now - at)} ago`;

export const until = (at: number, now = Date.now()): string => (at > now ? `in ${span(at - now)}` : "now");

export const money = (usd: number): string => (usd === 0 ? "" : `$${usd.toFixed(2)}`);

export const count = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`;

export function bytes(size: number): string {
  if (size < 1_000) return `${size} B`;
  return size < 1_000_000 ? `${(size / 1_000).toFixed(1)} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}
