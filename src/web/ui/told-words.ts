/** The words that tell of events are made of: names, values and changes, read off data that may hold anything. */
import type { TaskStatus } from "../../rules/status.ts";
import { moment, money } from "./format.ts";
import { STATUS_NAMES } from "./status-names.ts";

export type Data = Record<string, unknown>;

export function field(data: Data, name: string): Data {
  const value = data[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Data) : {};
}

export const text = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "?";

/** `timed_out`, `requiredCapabilities`: as words. */
export const plain = (name: unknown): string =>
  text(name)
    .replaceAll("_", " ")
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

export const statusName = (status: unknown): string =>
  `“${STATUS_NAMES[status as TaskStatus] ?? text(status)}”`;

export const dollars = (value: unknown): string => (typeof value === "number" ? money(value) : "?");

/** The first of these that somebody wrote something into. */
export const said = (...candidates: unknown[]): string | undefined =>
  candidates.find((words): words is string => typeof words === "string" && words.trim() !== "");

const list = (items: string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

/** What became of a task's fields. */
export function edited(fields: Data): string {
  const told = Object.entries(fields).map(([name, value]) => FIELDS[name]?.(value) ?? `the ${plain(name)}`);
  return told.length === 0 ? "what it says" : list(told);
}

const FIELDS: Record<string, (value: unknown) => string> = {
  title: (value) => `the title to “${text(value)}”`,
  description: () => "the description",
  priority: (value) => `the priority to ${text(value)}`,
  labels: (value) => several("the labels", value),
  requiredCapabilities: (value) => several("what it needs", value),
  kind: (value) => single("the kind", value),
  teamId: (value) => single("the team", value),
  notBefore: (value) => single("when it is offered", typeof value === "number" ? moment(value) : value),
  parentTaskId: (value) => (value === null ? "that it has no parent" : "its parent"),
  externalRef: (value) => single("the external reference", value),
  budgetUsd: (value) => single("the budget", typeof value === "number" ? money(value) : value),
  blockedReason: () => "why it is blocked",
};

const single = (name: string, value: unknown): string =>
  `${name} to ${value === null ? "none" : text(value)}`;

const several = (name: string, value: unknown): string =>
  Array.isArray(value) && value.length > 0 ? `${name} to ${value.map(text).join(", ")}` : `${name} to none`;

/** What somebody did to the board. */
export function boardChange(data: Data): string {
  const told = Object.entries(data).flatMap(([name, value]) => BOARD_PARTS[name]?.(value) ?? []);
  return told.length === 0 ? "changed the board" : list(told);
}

const BOARD_PARTS: Record<string, (value: unknown) => string> = {
  name: (value) => `named the board “${text(value)}”`,
  paused: (value) => (value === true ? "paused the board" : "let the board go on"),
  archived: (value) => (value === true ? "archived the board" : "took the board out of the archive"),
  settings: (value) => `turned ${list(Object.keys(value ?? {}).map(plain))}`,
  webhook: () => "changed a webhook",
};
