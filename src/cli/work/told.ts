/** What a runner says while it works: one thing at a time, as JSON or as a line for a person. */
import type { Ended } from "../../client/index.ts";

export type Told =
  | { event: "started"; board: string; agent: string; repository: string | null }
  | { event: "claimed"; task: string; title: string; epoch: number; taskId: string }
  | { event: "worktree"; task: string; path: string; branch: string; goesOn: boolean }
  | { event: "ran"; task: string; cycle: number; exitCode: number | null; durationMs: number }
  | { event: "verified"; task: string; cycle: number; passed: boolean; durationMs: number }
  | { event: "directive"; task: string; kind: string; reason: string | null }
  | { event: "lost"; task: string; reason: string }
  | { event: "ended"; task: string; how: Ended["how"]; error: string | null }
  | { event: "trouble"; error: string }
  | { event: "stopping" }
  | { event: "enough" };

export type Tell = (told: Told) => void;

/** One line; the task in front, so that several at once can be told apart. */
export function lineOf(told: Told): string {
  switch (told.event) {
    case "started":
      return `${told.agent} works on board ${told.board}${told.repository === null ? "" : `, in worktrees of ${told.repository}`}`;
    case "claimed":
      return `${told.task}  claimed: ${told.title}`;
    case "worktree":
      return `${told.task}  ${told.goesOn ? "goes on in" : "works in"} ${told.path} (${told.branch})`;
    case "ran":
      return `${told.task}  command ${exitOf(told.exitCode)} after ${seconds(told.durationMs)}${told.cycle > 1 ? ` (fix ${told.cycle - 1})` : ""}`;
    case "verified":
      return `${told.task}  verification ${told.passed ? "passed" : "failed"} after ${seconds(told.durationMs)}`;
    case "directive":
      return `${told.task}  the board asks for ${told.kind}: ${told.reason ?? "no reason given"}`;
    case "lost":
      return `${told.task}  lost: ${told.reason} The command is stopped.`;
    case "ended":
      return `${told.task}  ${told.how}${told.error === null ? "" : `: ${told.error}`}`;
    case "trouble":
      return `the board cannot be reached: ${told.error}`;
    case "stopping":
      return "stopping: what is in hand is given back; a second signal ends it at once";
    case "enough":
      return "asked to drain: what is in hand is finished, and nothing more is claimed";
  }
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
const exitOf = (code: number | null) => (code === null ? "was ended" : `ended with ${code}`);
