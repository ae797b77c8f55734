/** What every import is brought to before it reaches a board: the mappers' common answer. */
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
