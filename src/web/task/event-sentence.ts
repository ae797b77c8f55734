/** An event in one plain sentence, which goes on from the name of who did it. */
import type { BoardEvent, EventKind } from "../../contract/events.ts";
import type { TaskStatus } from "../../rules/status.ts";
import { moment, money } from "../ui/format.ts";
import { STATUS_NAMES } from "../ui/status-names.ts";
import { VERDICT_NAMES } from "./verdict-names.ts";

export interface Told {
  /** `claimed it`: who did it stands before. */
  said: string;
  /** What somebody wrote with it. */
  words: string | null;
}

type Data = Record<string, unknown>;

export function tellEvent({ kind, data, epoch }: BoardEvent): Told {
  return { said: SENTENCES[kind](data, epoch), words: wordsOf(kind, data) };
}

const SENTENCES: Record<EventKind, (data: Data, epoch: number | undefined) => string> = {
  task_created: (data) => {
    const status = statusName(field(data, "task")["status"]);
    const waits = Array.isArray(data["dependsOn"]) ? data["dependsOn"].length : 0;
    return `created it in ${status}${waits === 0 ? "" : `, waiting for ${waits} ${waits === 1 ? "task" : "tasks"}`}`;
  },
  task_edited: (data) =>
    data["execution"] === undefined
      ? `changed ${edited(field(data, "fields"))}`
      : "brought a run in by an import",
  task_dropped: (data) =>
    `dropped it${data["execution"] === undefined ? "" : ", ending the run of its holder"}`,
  task_restored: (data) => `restored it to ${statusName(data["status"])}`,
  task_claimed: (data, epoch) => `claimed it${attempt(epoch)}${by(data["runtime"])}`,
  execution_started: (data, epoch) => `began a run${attempt(epoch)}${by(data["runtime"])}`,
  execution_completed: (data, epoch) => {
    const late = data["late"] === true ? ", late" : "";
    const freed = unblocked(data);
    return `ended the run${attempt(epoch)} as ${plain(data["status"])}${late}${moved(data)}${freed}`;
  },
  status_changed: (data) => {
    const override = data["override"] === true ? ", overriding what held it back" : "";
    const ended = data["execution"] === undefined ? "" : ", ending the run of its holder";
    const fields = field(data, "fields");
    const also = Object.keys(fields).length === 0 ? "" : `, and changed ${edited(fields)}`;
    return `moved it${fromTo(data)}${override}${ended}${also}${unblocked(data)}`;
  },
  task_released: (data, epoch) =>
    `${RELEASES[String(data["via"])] ?? "gave it back"}${attempt(epoch)}${moved(data)}`,
  comment_added: () => "said",
  dependency_linked: (data) =>
    `made it wait for another task${data["onCancel"] === "hold" ? "" : ` (${plain(data["onCancel"])} when that is cancelled)`}`,
  dependency_unlinked: () => "took away a task it waited for",
  verification_recorded: (data) =>
    `recorded the verdict: ${VERDICT_NAMES[String(field(data, "verification")["status"])] ?? "unknown"}`,
  changes_requested: () => "asked for changes; its holder goes on",
  stop_requested: (data) =>
    data["mode"] === "drain" ? "asked its holder to finish and take nothing new" : "asked its holder to stop",
  workspace_changed: (data) => {
    const { branch, status } = field(data, "workspace");
    return `recorded its workspace as ${plain(status)}${typeof branch === "string" ? `, on ${branch}` : ""}`;
  },
  board_changed: (data) => boardChange(data),
  token_minted: (data) => `made a token for ${text(field(data, "token")["agentId"])}`,
  token_revoked: (data) => `revoked a token of ${text(data["agentId"])}`,
  webhook_disabled: (data) => `switched off the webhook to ${text(data["host"])}: ${plain(data["reason"])}`,
  budget_warning: (data) => `saw 80 % of the ${budget(data)} spent`,
  budget_stopped: (data) => `saw all of the ${budget(data)} spent`,
};

const RELEASES: Record<string, string> = {
  release: "gave it back",
  sweep: "took it back from a holder that had fallen silent",
  orphan: "closed a run that was left behind",
  displace: "took it from its holder",
  revoke: "took it back: the token of its holder was revoked",
  changes: "asked for changes and offered it again",
};

/** What was written with an event, in the order of what says most. */
function wordsOf(kind: EventKind, data: Data): string | null {
  const comment = field(data, "comment")["body"];
  const verdict = field(data, "verification");
  const candidates: unknown[] =
    kind === "verification_recorded"
      ? [
          field(verdict, "structuredError")["what"],
          Array.isArray(verdict["debtNotes"]) ? verdict["debtNotes"][0] : null,
        ]
      : kind === "task_edited"
        ? [field(data, "fields")["description"], data["reason"]]
        : [comment, data["notes"], data["error"], data["summary"], data["blockedReason"], data["reason"]];
  const found = candidates.find((words) => typeof words === "string" && words.trim() !== "");
  return (found as string | undefined) ?? null;
}

function edited(fields: Data): string {
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

function boardChange(data: Data): string {
  const told = [
    data["name"] === undefined ? "" : `named the board “${text(data["name"])}”`,
    data["paused"] === undefined ? "" : data["paused"] === true ? "paused the board" : "let the board go on",
    data["archived"] === undefined
      ? ""
      : data["archived"] === true
        ? "archived the board"
        : "took the board out of the archive",
    data["settings"] === undefined ? "" : `turned ${list(Object.keys(field(data, "settings")))}`,
    data["webhook"] === undefined ? "" : "changed a webhook",
  ].filter((part) => part !== "");
  return told.length === 0 ? "changed the board" : list(told);
}

const budget = (data: Data): string =>
  `${data["scope"] === "board" ? "board's budget" : "budget"} of ${typeof data["budgetUsd"] === "number" ? money(data["budgetUsd"]) : "?"}`;

const attempt = (epoch: number | undefined): string => (epoch === undefined ? "" : ` (attempt ${epoch})`);

const by = (runtime: unknown): string => (typeof runtime === "string" ? `, with ${runtime}` : "");

const moved = (data: Data): string =>
  data["from"] === data["to"] || data["to"] === undefined ? "" : `, which moved it${fromTo(data)}`;

const fromTo = ({ from, to }: Data): string => ` from ${statusName(from)} to ${statusName(to)}`;

function unblocked({ unblockedCount }: Data): string {
  if (typeof unblockedCount !== "number" || unblockedCount === 0) return "";
  return `; ${unblockedCount} ${unblockedCount === 1 ? "task waits" : "tasks wait"} for it no longer`;
}

const statusName = (status: unknown): string => `“${STATUS_NAMES[status as TaskStatus] ?? text(status)}”`;

/** `timed_out`, `requiredCapabilities`: as words. */
const plain = (name: unknown): string =>
  text(name)
    .replaceAll("_", " ")
    .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const text = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "?";

const list = (items: string[]): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;

function field(data: Data, name: string): Data {
  const value = data[name];
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Data) : {};
}
