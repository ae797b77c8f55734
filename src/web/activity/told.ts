/** One line of the feed: what somebody did, around the task it was done to. */
import type { AuditEntry, BoardEvent, EventKind } from "../../contract/events.ts";
import type { TaskStatus } from "../../rules/status.ts";
import { money } from "../ui/format.ts";
import { STATUS_NAMES } from "../ui/status-names.ts";
import { PRIVILEGE_NAMES, plain } from "./kinds.ts";

export interface Told {
  /** Stands between who did it and the task. */
  does: string;
  /** Stands behind the task. */
  ends?: string;
  /** A second task, behind that. */
  other?: string;
  /** What somebody wrote with it. */
  words?: string | undefined;
}

type Data = Record<string, unknown>;

export function tellEvent({ kind, data, epoch }: BoardEvent): Told {
  return EVENTS[kind](data, epoch);
}

const EVENTS: Record<EventKind, (data: Data, epoch: number | undefined) => Told> = {
  task_created: (data) => ({ does: "created", ends: `in ${status(part(data, "task")["status"])}` }),
  task_edited: (data) => ({ does: "changed", ends: names(data["fields"]) }),
  task_dropped: () => ({ does: "dropped" }),
  task_restored: (data) => ({ does: "restored", ends: `to ${status(data["status"])}` }),
  task_claimed: (_, epoch) => ({ does: "claimed", ends: epoch === undefined ? "" : `(attempt ${epoch})` }),
  execution_started: () => ({ does: "began a run of" }),
  execution_completed: (data) => ({
    does: "ended the run of",
    ends: `as ${plain(text(data["status"]))}${data["late"] === true ? ", late" : ""}${arrow(data)}${freed(data)}`,
    words: said(data["error"], data["summary"], data["blockedReason"]),
  }),
  status_changed: (data) => ({
    does: "moved",
    ends: `from ${status(data["from"])} to ${status(data["to"])}${data["override"] === true ? ", overriding the gate" : ""}${freed(data)}`,
    words: said(data["reason"], data["blockedReason"]),
  }),
  task_released: (data) => ({
    ...(RELEASES[text(data["via"])] ?? { does: "gave back" }),
    words: said(data["notes"], data["reason"], data["blockedReason"]),
  }),
  comment_added: (data) => ({ does: "said on", words: said(part(data, "comment")["body"]) }),
  dependency_linked: (data) => ({ does: "made", ends: "wait for", other: text(data["dependsOnTaskId"]) }),
  dependency_unlinked: (data) => ({
    does: "let",
    ends: "no longer wait for",
    other: text(data["dependsOnTaskId"]),
  }),
  verification_recorded: (data) => ({
    does: "judged",
    ends: `as ${plain(text(part(data, "verification")["status"]))}`,
    words: said(part(part(data, "verification"), "structuredError")["what"]),
  }),
  changes_requested: (data) => ({ does: "asked for changes of", words: said(data["notes"]) }),
  stop_requested: (data) => ({
    does: "asked the holder of",
    ends: data["mode"] === "drain" ? "to finish and take nothing new" : "to stop",
    words: said(data["reason"]),
  }),
  workspace_changed: (data) => ({
    does: "recorded the workspace of",
    ends: `as ${plain(text(part(data, "workspace")["status"]))}`,
  }),
  board_changed: (data) => ({ does: `changed the board: ${boardParts(data)}`, words: said(data["reason"]) }),
  token_minted: (data) => {
    const { agentId, role } = part(data, "token");
    return { does: `minted a ${text(role)} token for ${text(agentId)}` };
  },
  token_revoked: (data) => ({ does: `revoked a token of ${text(data["agentId"])}` }),
  webhook_disabled: (data) => ({
    does: `disabled the webhook to ${text(data["host"])}: ${plain(text(data["reason"]))}`,
  }),
  budget_warning: (data) => ({ does: `has spent 80 % of ${budget(data)}` }),
  budget_stopped: (data) => ({ does: `has spent all of ${budget(data)}` }),
};

const RELEASES: Record<string, Told> = {
  release: { does: "gave back" },
  sweep: { does: "took back", ends: "from a holder that had fallen silent" },
  orphan: { does: "closed a run of", ends: "that was left behind" },
  displace: { does: "took", ends: "from its holder" },
  revoke: { does: "took back", ends: "from a holder whose token was revoked" },
  changes: { does: "sent back", ends: "for changes" },
};

export function tellPrivilege({ kind, reason, data, priorStatus }: AuditEntry): Told {
  const words = said(reason);
  const ends = priorStatus === null ? "" : `(was ${status(priorStatus)})`;
  const of = PRIVILEGES[kind];
  if (of !== undefined) return { ends, words, ...of(data) };
  return { does: `${(PRIVILEGE_NAMES[kind] ?? plain(kind)).toLowerCase()}:`, ends, words };
}

const PRIVILEGES: Record<string, (data: Data) => Told> = {
  human_override: (data) => ({ does: "overrode the gate of", ends: `and moved it to ${status(data["to"])}` }),
  displace: (data) => ({ does: "took", ends: `from ${text(data["holder"])}, to ${status(data["to"])}` }),
  cancel_held: (data) => ({ does: "cancelled", ends: `while ${text(data["holder"])} held it` }),
  drop_held: (data) => ({ does: "dropped", ends: `while ${text(data["holder"])} held it` }),
  ignore_dependencies: () => ({ does: "claimed", ends: "before what it waits for was done" }),
  stop: (data) => ({
    does: `asked ${text(data["holder"])} to ${data["mode"] === "drain" ? "finish" : "stop"}, on`,
    ends: "",
  }),
  reconcile: (data) => ({ does: `ran a recovery by hand, which closed ${text(data["closed"])}`, ends: "" }),
  import: (data) => ({ does: `imported from ${text(data["source"])}`, ends: "" }),
  board_changed: (data) => ({ does: `changed the board: ${boardParts(data)}`, ends: "" }),
  token_minted: (data) => ({ does: `minted a ${text(data["role"])} token for ${text(data["agentId"])}` }),
  token_revoked: (data) => ({ does: `revoked a token of ${text(data["agentId"])}` }),
};

const BOARD_PARTS: Record<string, (value: unknown) => string> = {
  name: (value) => `its name is ${text(value)}`,
  paused: (value) => (value === true ? "paused" : "no longer paused"),
  archived: (value) => (value === true ? "archived" : "no longer archived"),
  settings: (value) => names(value),
  webhook: () => "a webhook",
};

function boardParts(data: Data): string {
  const told = Object.entries(data).flatMap(([name, value]) => BOARD_PARTS[name]?.(value) ?? []);
  return told.length === 0 ? "its settings" : told.join(", ");
}

function names(fields: unknown): string {
  const known = typeof fields === "object" && fields !== null ? Object.keys(fields) : [];
  return known.length === 0 ? "" : `(${known.map(plain).join(", ")})`;
}

function budget(data: Data): string {
  const { scope, budgetUsd } = data;
  const sum = typeof budgetUsd === "number" ? ` of ${money(budgetUsd)}` : "";
  return scope === "board" ? `the board's budget${sum}` : `its budget${sum}, on`;
}

function arrow({ to }: Data): string {
  return to === undefined ? "" : `, now ${status(to)}`;
}

function freed({ unblockedCount }: Data): string {
  if (typeof unblockedCount !== "number" || unblockedCount === 0) return "";
  return `; ${unblockedCount} became ready`;
}

function status(name: unknown): string {
  return STATUS_NAMES[name as TaskStatus] ?? text(name);
}

function said(...candidates: unknown[]): string | undefined {
  return candidates.find((words): words is string => typeof words === "string" && words.trim() !== "");
}

function part(data: Data, name: string): Data {
  const value = data[name];
  return typeof value === "object" && value !== null ? (value as Data) : {};
}

function text(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "?";
}
