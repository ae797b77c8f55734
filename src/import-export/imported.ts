/** What every import is brought to before it reaches a board: the mappers' common answer. */
import { IMPORT_ISSUES_MAX, IMPORT_MAX_TASKS } from "../contract/limits.ts";
import { type Refusal, refuse } from "../contract/result.ts";
import type { TaskStatus } from "../rules/status.ts";

export interface ImportedComment {
  authorId: string;
  body: string;
  at: number;
}

export interface ImportedTask {
  /** The source's own id; unique per board among not-dropped tasks. */
  externalRef: string;
  title: string;
  description: string;
  status: TaskStatus;
  priority: number;
  kind: string | null;
  labels: string[];
  parentRef: string | null;
  dependsOn: string[];
  comments: ImportedComment[];
  createdBy: string | null;
  notBefore: number | null;
  createdAt: number;
  updatedAt: number;
  /** The source tells no time of this task: `updatedAt` never moves, and a change shows in what it says. */
  undated?: true;
  completedAt: number | null;
}

export interface Skipped {
  ref: string;
  reason: string;
}

export interface ImportIssue {
  path: string;
  message: string;
}

export interface Imported {
  tasks: ImportedTask[];
  skipped: Skipped[];
  /** Faults of the source; with any of them nothing is stored. */
  issues: ImportIssue[];
}

/** What a source is refused for, whichever way it came. */
export function sourceFaults({ tasks, issues }: Imported): Refusal | null {
  if (tasks.length > IMPORT_MAX_TASKS)
    return refuse("import_invalid", `One import may bring at most ${IMPORT_MAX_TASKS} tasks.`, {
      issues: [],
    });
  if (issues.length === 0) return null;
  return refuse("import_invalid", "The source has faults; nothing was stored.", {
    issues: issues.slice(0, IMPORT_ISSUES_MAX),
  });
}
