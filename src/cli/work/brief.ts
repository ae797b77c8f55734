/** What a command is told: as JSON, as a page to read, and in its environment. Pure. */
import type { BlockerSummary, Handoff, Task } from "../../contract/task.ts";
import type { Failure } from "./verdict.ts";

/** The JSON in EDGEBOARD_TASK_FILE. */
export interface Brief {
  task: Task;
  /** What the last holder left; null: it is the first. */
  handoff: Handoff | null;
  /** What was said of the tasks this one waited for. */
  blockers: BlockerSummary[];
  workspace: { path: string; branch: string; baseSha: string; goesOn: boolean } | null;
  /** What has to end with exit code 0 before the task is done. */
  verify: string | null;
  /** 1 at first, one more for each fix. */
  cycle: number;
  fixesLeft: number;
  /** Why it is asked again; null in the first cycle. */
  failure: Failure | null;
}

export interface Files {
  json: string;
  page: string;
  report: string;
}

export function environmentOf(brief: Brief, files: Files, board: string): Record<string, string> {
  const { task, workspace } = brief;
  return {
    EDGEBOARD_BOARD: board,
    EDGEBOARD_TASK_ID: task.id,
    EDGEBOARD_TASK_NUMBER: String(task.number),
    EDGEBOARD_TASK_TITLE: task.title,
    EDGEBOARD_TASK_FILE: files.json,
    EDGEBOARD_TASK_MD: files.page,
    EDGEBOARD_REPORT_FILE: files.report,
    EDGEBOARD_CYCLE: String(brief.cycle),
    ...(workspace === null
      ? {}
      : {
          EDGEBOARD_WORKTREE: workspace.path,
          EDGEBOARD_BRANCH: workspace.branch,
          EDGEBOARD_BASE_SHA: workspace.baseSha,
        }),
  };
}

/** TASK.md. What is urgent comes first. */
export function pageOf(brief: Brief): string {
  const { task } = brief;
  const parts = [
    `# n${task.number} ${task.title}`,
    facts(task),
    brief.failure === null ? "" : failureSection(brief.failure, brief.fixesLeft),
    task.description.trim() === "" ? "" : `## What to do\n\n${task.description.trim()}`,
    handoffSection(brief.handoff),
    blockersSection(brief.blockers),
    placeSection(brief),
    REPORTING,
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

const REPORTING = `## When you end

Exit code 0 means that the work is finished; any other means that this attempt failed. If you like, write a JSON object to
the file named by the environment variable EDGEBOARD_REPORT_FILE; every field is optional:
\`{"summary", "outcome": "done" | "in_review" | "blocked" | "failed", "reason", "handoff": {"done": [], "broken": [],
"next", "warnings": []}, "inputTokens", "outputTokens", "costUsd"}\`. The summary is read by whoever works on what waits
for this task, the handoff by whoever goes on with it.`;

function facts(task: Task): string {
  const all = [
    `priority ${task.priority}`,
    task.kind === null ? "" : `kind ${task.kind}`,
    task.labels.length === 0 ? "" : `labels ${task.labels.join(", ")}`,
    task.externalRef === null ? "" : `reference ${task.externalRef}`,
    task.budgetUsd === null ? "" : `budget ${task.budgetUsd} USD, of which ${task.costUsd} are spent`,
  ];
  return all.filter((fact) => fact !== "").join(" · ");
}

function failureSection({ what, why, howToFix }: Failure, fixesLeft: number): string {
  const left = fixesLeft === 0 ? "This is the last try." : `Tries left after this one: ${fixesLeft}.`;
  return `## Mend this first\n\n${what} ${left}\n\n${fenced(why)}\n\n${howToFix}`;
}

function handoffSection(handoff: Handoff | null): string {
  if (handoff === null) return "";
  const { done, broken, next, whyBlocked, commands, evidence, warnings } = handoff;
  const parts = [
    list("Done", done),
    list("Broken", broken),
    next ? `Next: ${next}` : "",
    whyBlocked ? `Why it stopped: ${whyBlocked}` : "",
    list("Warnings", warnings),
    list(
      "Commands",
      Object.entries(commands ?? {}).map(([name, command]) => `${name}: \`${command}\``),
    ),
    evidence ? `Evidence:\n\n${fenced(evidence)}` : "",
  ];
  const told = parts.filter((part) => part !== "");
  return told.length === 0 ? "" : `## What the last one left\n\n${told.join("\n\n")}`;
}

function blockersSection(blockers: readonly BlockerSummary[]): string {
  if (blockers.length === 0) return "";
  const items = blockers.map(
    ({ number, title, summary }) => `### n${number} ${title}\n\n${summary ?? "No summary."}`,
  );
  return `## What this task waited for\n\n${items.join("\n\n")}`;
}

function placeSection({ workspace, verify }: Brief): string {
  const where =
    workspace === null
      ? ""
      : `You work in ${workspace.path} on branch ${workspace.branch}, begun from ${workspace.baseSha}.${
          workspace.goesOn ? " An earlier attempt worked here; look at what it left." : ""
        } Commit there; nothing is merged for you.`;
  const gate =
    verify === null ? "" : `Before the task is done, this has to end with exit code 0:\n\n${fenced(verify)}`;
  const told = [where, gate].filter((part) => part !== "");
  return told.length === 0 ? "" : `## Where, and what is checked\n\n${told.join("\n\n")}`;
}

function list(name: string, items: readonly string[] = []): string {
  return items.length === 0 ? "" : `${name}:\n\n${items.map((item) => `- ${item}`).join("\n")}`;
}

/** A fence longer than any inside, so that a text cannot end it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.trimEnd()}\n${fence}`;
}
