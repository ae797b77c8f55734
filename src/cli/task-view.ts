/** One task with everything around it, for people. */
import type { Answer } from "../client/calls.ts";
import type { Handoff, TaskRef } from "../contract/task.ts";
import type { Colors } from "./output.ts";
import { clean, oneLine } from "./output.ts";
import { ago, money, statusColor, until } from "./words.ts";

export const named = ({ number, title }: Pick<TaskRef, "number" | "title">): string =>
  `n${number}  ${oneLine(title)}`;

/** What a command says that changed one task. */
export const changed = (task: TaskRef, colors: Colors): string =>
  `${colors.bold(`n${task.number}`)}  ${statusColor(colors, task.status)(task.status)}  ${oneLine(task.title)}`;

export function taskView(detail: Answer<"getTask">, colors: Colors): string {
  const { task, comments = [], dependencies = [], dependents = [], executions = [], workspace } = detail;
  const status = statusColor(colors, task.status)(task.status);
  const flags = [task.ready ? "ready" : "", task.dropped ? "dropped" : ""].filter((flag) => flag !== "");
  const lines = [
    colors.bold(named(task)),
    `  ${colors.dim("status".padEnd(11))}${[status, ...flags].join(", ")}`,
    row("why", [task.blockedReason]),
    row("holder", [
      task.assigneeAgentId,
      task.lease && `${task.lease.state}, ${until(task.lease.expiresAt)}`,
    ]),
    row("priority", [task.priority || ""]),
    row("labels", task.labels),
    row("kind", [task.kind]),
    row("needs", task.requiredCapabilities),
    row("runtime", [task.assigneeRuntime]),
    row("reference", [task.externalRef]),
    row("not before", [task.notBefore && new Date(task.notBefore).toISOString()]),
    row("branch", [task.branchRef]),
    row("worktree", [task.worktreeRef ?? workspace?.worktreePath]),
    row("verdict", [task.verification?.status]),
    row("cost", [money(task.costUsd), task.budgetUsd && `of ${money(task.budgetUsd)}`]),
    row("changed", [ago(task.updatedAt), `version ${task.version}`]),
    row("id", [task.id]),
  ];
  const runs = executions.map(
    ({ epoch, status, agentId, startedAt, summary, error }) =>
      `${epoch}. ${status} by ${agentId}, ${ago(startedAt)}${said(summary ?? error)}`,
  );
  return [
    lines.filter((line) => line !== "").join("\n"),
    task.description === "" ? "" : clean(task.description.trimEnd()),
    section("Waits for", dependencies.map(reference)),
    section("Waited for by", dependents.map(reference)),
    section("Runs", runs),
    section(
      "Comments",
      comments.map(({ authorId, createdAt, body }) => `${authorId}, ${ago(createdAt)}: ${body}`),
    ),
  ]
    .filter((part) => part !== "")
    .join("\n\n");

  function row(name: string, values: (string | number | null | undefined)[]): string {
    const filled = values.map((value) => oneLine(String(value || ""))).filter((value) => value !== "");
    return filled.length === 0 ? "" : `  ${colors.dim(name.padEnd(11))}${filled.join(", ")}`;
  }

  function section(name: string, items: string[]): string {
    return items.length === 0 ? "" : [colors.dim(name), ...items.map(indented)].join("\n");
  }
}

export function handoffView(handoff: Handoff): string[] {
  const { done = [], broken = [], warnings = [], next, whyBlocked, evidence, commands = {} } = handoff;
  return [
    ...done.map((text) => `done: ${text}`),
    ...broken.map((text) => `broken: ${text}`),
    ...warnings.map((text) => `warning: ${text}`),
    ...(next === undefined ? [] : [`next: ${next}`]),
    ...(whyBlocked === undefined ? [] : [`why: ${whyBlocked}`]),
    ...(evidence === undefined ? [] : [`evidence: ${evidence}`]),
    ...Object.entries(commands).map(([name, line]) => `${name}: ${line}`),
  ].map(indented);
}

const reference = ({ number, title, status }: TaskRef): string => `n${number}  ${status}  ${title}`;

const said = (text: string | null): string => (text === null || text === "" ? "" : `: ${text}`);

const indented = (text: string): string => `  ${clean(text).trimEnd().replaceAll("\n", "\n    ")}`;
