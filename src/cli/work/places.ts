/** Which worktree a task gets: the one its last attempt left, or a new one beside it. Pure. */

/** What is written down of a worktree while it is in use, and after. */
export interface Tenancy {
  taskId: string;
  epoch: number;
  baseSha: string;
  /** The runner that works there; null: nobody any more. */
  owner: { host: string; pid: number } | null;
}

export interface Place {
  path: string;
  branch: string | null;
  /** Null where it is none of ours. */
  tenancy: Tenancy | null;
}

export interface Wanted {
  taskId: string;
  number: number;
  epoch: number;
}

export type Settled = Place & { branch: string; tenancy: Tenancy };

/** The newest place of the task that nobody works in. */
export function placeToGoOn(
  places: readonly Place[],
  wanted: Wanted,
  isInUse: (place: Settled) => boolean,
): Settled | null {
  const free = places.filter(
    (place): place is Settled =>
      place.branch !== null &&
      place.tenancy?.taskId === wanted.taskId &&
      !isInUse({ ...place, branch: place.branch, tenancy: place.tenancy }),
  );
  return free.toSorted((a, b) => b.tenancy.epoch - a.tenancy.epoch)[0] ?? null;
}

/**
 * Names for a new one, the first that is free is taken. `n7` may be another board's seventh task, or still be held by
 * a runner that does not know yet that it lost this one.
 */
export function namesFor({ taskId, number, epoch }: Wanted): string[] {
  const mark = taskId.slice(-8);
  return [`n${number}`, `n${number}-${mark}`, `n${number}-${mark}-${epoch}`];
}

/** `git worktree list --porcelain -z`, without what cannot be entered. */
export function readWorktrees(listing: string): { path: string; branch: string | null }[] {
  return listing.split("\0\0").flatMap((entry) => {
    const lines = entry.split("\0").filter((line) => line !== "");
    const fieldOf = (key: string) => lines.find((line) => line.startsWith(`${key} `))?.slice(key.length + 1);
    const path = fieldOf("worktree");
    if (path === undefined || lines.some((line) => /^(?:bare|prunable)\b/.test(line))) return [];
    return [{ path, branch: fieldOf("branch")?.replace(/^refs\/heads\//, "") ?? null }];
  });
}
