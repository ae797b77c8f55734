/** How the wire's values are said to a model: short names, times it can read, texts without hidden signs. */
import type { Handoff, Task, TaskRef } from "../contract/task.ts";

/** Controls but tab and line feed, signs that turn the direction of text, and tags nobody sees. */
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu;

export const clean = (text: string): string => text.replace(HIDDEN, "");

/** Tasks are called by their number here: short, and good wherever an id is. */
export const nameOf = ({ number }: { number: number }): string => `n${number}`;

export const moment = (at: number): string => new Date(at).toISOString();

export const seconds = (ms: number): number => ms / 1000;

/** What is not there is left out, rather than told as null. */
export function given<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], null> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: Exclude<T[K], null> };
}

export function briefOf(task: Task) {
  return {
    id: nameOf(task),
    title: clean(task.title),
    status: task.status,
    priority: task.priority,
    rev: task.version,
    ready: task.ready,
    ...(task.assigneeAgentId === null ? {} : { assignee: clean(task.assigneeAgentId) }),
    ...(task.lease === null ? {} : { lease_expires_at: moment(task.lease.expiresAt) }),
    ...(task.openDependencies === 0 ? {} : { open_deps: task.openDependencies }),
    ...(task.verification === null ? {} : { verdict: task.verification.status }),
    ...(task.dropped ? { dropped: true } : {}),
  };
}

export function refOf(task: TaskRef) {
  return { id: nameOf(task), title: clean(task.title), status: task.status };
}

const HANDOFF_PARTS = [
  ["done", "done"],
  ["broken", "broken"],
  ["next", "next"],
  ["whyBlocked", "why blocked"],
  ["evidence", "evidence"],
  ["warnings", "warnings"],
] as const;

/** A handoff as lines of text, one part after the other. */
export function handoffText(handoff: Handoff): string {
  const parts = HANDOFF_PARTS.flatMap(([part, name]) => {
    const said = handoff[part];
    const lines = said === undefined ? [] : typeof said === "string" ? [said] : said;
    return lines.map((line) => `${name}: ${line}`);
  });
  const commands = Object.entries(handoff.commands ?? {}).map(
    ([name, command]) => `${name} with: ${command}`,
  );
  return clean([...parts, ...commands].join("\n"));
}
