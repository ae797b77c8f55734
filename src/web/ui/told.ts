/** An event as a sentence around the task it is about, which goes on from the name of who did it. */
import type { BoardEvent, EventKind } from "../../contract/events.ts";
import {
  boardChange,
  type Data,
  dollars,
  edited,
  field,
  plain,
  said,
  statusName,
  text,
} from "./told-words.ts";
import { VERDICT_NAMES } from "./verdict-names.ts";

export interface Told {
  /** Stands between who did it and the task. */
  does: string;
  /** Stands behind the task. */
  ends?: string;
  /** The id of a second task, behind that. */
  other?: string;
  /** What somebody wrote with it. */
  words?: string | undefined;
}

export function tellEvent({ kind, data, epoch }: BoardEvent): Told {
  return EVENTS[kind](data, epoch);
}

/** Where all is about one task, it need not be named: `claimed it (attempt 2)`, `asked its holder to stop`. */
export const sentenceOf = ({ does, ends, other }: Told): string =>
  [does, "it", ends, other === undefined ? undefined : "another task"]
    .filter(Boolean)
    .join(" ")
    .replace(/\bthe (\w+) of it\b/, "its $1");

const EVENTS: Record<EventKind, (data: Data, epoch: number | undefined) => Told> = {
  task_created: (data) => ({
    does: "created",
    ends: `in ${statusName(field(data, "task")["status"])}${waiting(data["dependsOn"])}`,
  }),
  task_edited: (data) =>
    data["execution"] === undefined
      ? {
          does: "changed",
          ends: `(${edited(field(data, "fields"))})`,
          words: said(field(data, "fields")["description"], data["reason"]),
        }
      : { does: "brought a run of", ends: "in by an import" },
  task_dropped: (data) => ({
    does: "dropped",
    ...(data["execution"] === undefined ? {} : { ends: "and ended the run of its holder" }),
  }),
  task_restored: (data) => ({ does: "restored", ends: `to ${statusName(data["status"])}` }),
  task_claimed: (data, epoch) => ({ does: "claimed", ends: begun(data, epoch) }),
  execution_started: (data, epoch) => ({ does: "began a run of", ends: begun(data, epoch) }),
  execution_completed: (data, epoch) => ({
    does: "ended the run of",
    ends: `as ${plain(data["status"])}${attempt(epoch)}${data["late"] === true ? ", late" : ""}${moved(data)}${freed(data)}`,
    words: said(data["error"], data["summary"], data["blockedReason"]),
  }),
  status_changed: (data) => {
    const fields = field(data, "fields");
    const override = data["override"] === true ? ", overriding what held it back" : "";
    const ended = data["execution"] === undefined ? "" : ", ending the run of its holder";
    const also = Object.keys(fields).length === 0 ? "" : `, and changed ${edited(fields)}`;
    return {
      does: "moved",
      ends: `${fromTo(data)}${override}${ended}${also}${freed(data)}`,
      words: said(data["blockedReason"], data["reason"]),
    };
  },
  task_released: (data, epoch) => {
    const [does, how] = RELEASES[String(data["via"])] ?? ["gave", "back"];
    return {
      does,
      ends: `${how}${attempt(epoch)}${moved(data)}`,
      words: said(data["notes"], data["blockedReason"], data["reason"]),
    };
  },
  comment_added: (data) => ({ does: "said on", words: said(field(data, "comment")["body"]) }),
  dependency_linked: (data) => ({
    does: "made",
    ends: data["onCancel"] === "hold" ? "wait for" : `wait (${plain(data["onCancel"])} on cancel) for`,
    other: text(data["dependsOnTaskId"]),
  }),
  dependency_unlinked: (data) => ({
    does: "let",
    ends: "no longer wait for",
    other: text(data["dependsOnTaskId"]),
  }),
  verification_recorded: (data) => {
    const verdict = field(data, "verification");
    const debt = verdict["debtNotes"];
    return {
      does: "judged",
      ends: `as ${VERDICT_NAMES[String(verdict["status"])] ?? "unknown"}`,
      words: said(field(verdict, "structuredError")["what"], Array.isArray(debt) ? debt[0] : null),
    };
  },
  changes_requested: (data) => ({
    does: "asked for changes of",
    ends: "while its holder goes on",
    words: said(data["notes"]),
  }),
  stop_requested: (data) => ({
    does: "asked the holder of",
    ends: data["mode"] === "drain" ? "to finish and take nothing new" : "to stop",
    words: said(data["reason"]),
  }),
  workspace_changed: (data) => {
    const { branch, status } = field(data, "workspace");
    const on = typeof branch === "string" ? `, on ${branch}` : "";
    return { does: "recorded the workspace of", ends: `as ${plain(status)}${on}` };
  },
  board_changed: (data) => ({ does: boardChange(data), words: said(data["reason"]) }),
  token_minted: (data) => {
    const { agentId, role } = field(data, "token");
    return { does: `made a ${text(role)}'s token for ${text(agentId)}` };
  },
  token_revoked: (data) => ({ does: `revoked a token of ${text(data["agentId"])}` }),
  webhook_disabled: (data) => ({
    does: `switched off the webhook to ${text(data["host"])}: ${plain(data["reason"])}`,
  }),
  budget_warning: (data) => ({ does: `saw 80 % of the ${budget(data)} spent on` }),
  budget_stopped: (data) => ({ does: `saw all of the ${budget(data)} spent on` }),
};

/** What stands before the task, and what behind it. */
const RELEASES: Record<string, [does: string, ends: string]> = {
  release: ["gave", "back"],
  sweep: ["took", "back from a holder that had fallen silent"],
  orphan: ["closed a run of", "that was left behind"],
  displace: ["took", "from its holder"],
  revoke: ["took", "back from a holder whose token was revoked"],
  changes: ["sent", "back for changes"],
};

const budget = ({ scope, budgetUsd }: Data): string =>
  `${scope === "board" ? "board's budget" : "budget"} of ${dollars(budgetUsd)}`;

function waiting(dependsOn: unknown): string {
  if (!Array.isArray(dependsOn) || dependsOn.length === 0) return "";
  return `, waiting for ${dependsOn.length} ${dependsOn.length === 1 ? "task" : "tasks"}`;
}

const attempt = (epoch: number | undefined): string => (epoch === undefined ? "" : ` (attempt ${epoch})`);

const begun = ({ runtime }: Data, epoch: number | undefined): string =>
  `${attempt(epoch)}${typeof runtime === "string" ? ` with ${runtime}` : ""}`.trim();

const moved = (data: Data): string =>
  data["from"] === data["to"] || data["to"] === undefined ? "" : `, which moved it ${fromTo(data)}`;

const fromTo = ({ from, to }: Data): string => `from ${statusName(from)} to ${statusName(to)}`;

function freed({ unblockedCount }: Data): string {
  if (typeof unblockedCount !== "number" || unblockedCount === 0) return "";
  return `; ${unblockedCount} ${unblockedCount === 1 ? "task waits" : "tasks wait"} for it no longer`;
}
