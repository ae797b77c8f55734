/** Where a task is worked on, and what the board is told of it: its own worktree, or where the runner stands. */
import type { Job } from "../../client/index.ts";
import { READ_ONLY_KINDS } from "../../contract/task.ts";
import {
  headOf,
  isUntouched,
  leaveWorktree,
  openWorktree,
  removeWorktree,
  type Worktree,
} from "./worktree.ts";

export interface Bench {
  path: string;
  worktree: Worktree | null;
  /** The work is over, and ours to the end: an empty worktree goes, any other stays for whoever comes next. */
  close: () => Promise<Closed>;
  /** The task is somebody else's: nothing is looked at and nothing moved, the place is only no longer in use. */
  abandon: () => Promise<void>;
}

export interface Closed {
  beforeCommit?: string;
  afterCommit?: string;
  /** The worktree that is still there. */
  kept: Worktree | null;
}

/** `repository`: null where no worktrees are wanted. */
export async function openBench(
  job: Job,
  place: { cwd: string; repository: { path: string; base: string } | null },
): Promise<Bench> {
  const { task, lease } = job;
  const readsOnly = task.kind !== null && READ_ONLY_KINDS.includes(task.kind);
  if (place.repository === null || readsOnly)
    return {
      path: place.repository?.path ?? place.cwd,
      worktree: null,
      close: async () => ({ kept: null }),
      abandon: async () => {},
    };
  const { path: repoPath, base } = place.repository;
  const wanted = { taskId: task.id, number: task.number, epoch: lease.epoch };
  const worktree = await openWorktree(repoPath, base, wanted);
  try {
    const { path: worktreePath, branch, baseSha } = worktree;
    await lease.createWorkspace({ repoPath, worktreePath, branch, baseSha });
  } catch (error) {
    await leaveWorktree(worktree);
    throw error;
  }
  return {
    path: worktree.path,
    worktree,
    close: () => closeWorktree(job, worktree),
    abandon: () => leaveWorktree(worktree),
  };
}

async function closeWorktree({ lease }: Job, worktree: Worktree): Promise<Closed> {
  const commits = { beforeCommit: worktree.baseSha, afterCommit: await headOf(worktree) };
  if (!(await isUntouched(worktree))) {
    await leaveWorktree(worktree);
    return { ...commits, kept: worktree };
  }
  // Told first: a place that is on the board and not there is worse than the other way round.
  await lease.changeWorkspace({ status: "archived" });
  try {
    await removeWorktree(worktree);
    return { ...commits, kept: null };
  } catch {
    // Git will not, for a reason of its own such as submodules. The work is no worse for it.
    await leaveWorktree(worktree);
    return { ...commits, kept: worktree };
  }
}
