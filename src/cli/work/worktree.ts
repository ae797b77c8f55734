/** A task's own checkout: made or found again, looked at, and taken away when nothing was done in it. */
import { existsSync } from "node:fs";
import { readFile, rename, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";
import { git } from "./git.ts";
import {
  namesFor,
  type Place,
  placeToGoOn,
  readWorktrees,
  type Settled,
  type Tenancy,
  type Wanted,
} from "./places.ts";

export interface Worktree {
  repoPath: string;
  path: string;
  branch: string;
  baseSha: string;
  /** An earlier attempt worked here. */
  goesOn: boolean;
}

const PREFIX = "edgeboard/";
const TENANCY_FILE = "edgeboard.json";
/** Worktrees of this very process: after a restart another one may have its number. */
const inUse = new Set<string>();

/** The top of the repository that a folder lies in. */
export function repositoryOf(folder: string): Promise<string> {
  return git(folder, "rev-parse", "--show-toplevel");
}

export function commitOf(folder: string, ref: string): Promise<string> {
  return git(folder, "rev-parse", "--verify", "--end-of-options", `${ref}^{commit}`);
}

/** Beside the repository, not in it: whatever walks the repository should not meet every file twice. */
const homeOf = (repoPath: string) => join(dirname(repoPath), `${basename(repoPath)}.edgeboard`);

export async function openWorktree(repoPath: string, base: string, wanted: Wanted): Promise<Worktree> {
  const left = placeToGoOn(await placesOf(repoPath), wanted, isInUse);
  if (left !== null) {
    const { path, branch, tenancy } = left;
    inUse.add(path);
    await writeTenancy(path, { ...tenancy, epoch: wanted.epoch, owner: ourselves() });
    return { repoPath, path, branch, baseSha: tenancy.baseSha, goesOn: true };
  }
  const baseSha = await commitOf(repoPath, base);
  const { path, branch } = await freeName(repoPath, wanted);
  inUse.add(path);
  await git(repoPath, "worktree", "add", "--quiet", "--no-track", "-b", branch, path, baseSha);
  await writeTenancy(path, { taskId: wanted.taskId, epoch: wanted.epoch, baseSha, owner: ourselves() });
  return { repoPath, path, branch, baseSha, goesOn: false };
}

/** Where its work stands. */
export const headOf = ({ path }: Worktree): Promise<string> => commitOf(path, "HEAD");

/** No commit since the base, nothing changed and nothing new; what git ignores does not count. */
export async function isUntouched(worktree: Worktree): Promise<boolean> {
  const { path, branch, baseSha } = worktree;
  const [head, tip] = await Promise.all([headOf(worktree), commitOf(path, `refs/heads/${branch}`)]);
  return head === baseSha && tip === baseSha && (await git(path, "status", "--porcelain")) === "";
}

/** Git itself refuses where there is anything to lose. */
export async function removeWorktree({ repoPath, path, branch, baseSha }: Worktree): Promise<void> {
  inUse.delete(path);
  await git(repoPath, "worktree", "remove", path);
  await git(repoPath, "update-ref", "-d", `refs/heads/${branch}`, baseSha);
}

/** The next attempt may go on here. */
export async function leaveWorktree({ path }: Worktree): Promise<void> {
  inUse.delete(path);
  const tenancy = await readTenancy(path);
  if (tenancy !== null) await writeTenancy(path, { ...tenancy, owner: null });
}

async function placesOf(repoPath: string): Promise<Place[]> {
  const worktrees = readWorktrees(await git(repoPath, "worktree", "list", "--porcelain", "-z"));
  const ours = worktrees.filter(({ branch }) => branch?.startsWith(PREFIX) === true);
  return Promise.all(ours.map(async (each) => ({ ...each, tenancy: await readTenancy(each.path) })));
}

async function freeName(repoPath: string, wanted: Wanted): Promise<{ path: string; branch: string }> {
  for (const name of namesFor(wanted)) {
    const path = join(homeOf(repoPath), name);
    const branch = PREFIX + name;
    const taken = await git(repoPath, "for-each-ref", "--format=%(refname)", `refs/heads/${branch}`);
    if (taken === "" && !existsSync(path)) return { path, branch };
  }
  throw new Error(`every name for a worktree of n${wanted.number} is taken, beside ${repoPath}`);
}

/** In git's own folder for the worktree: it is no part of the work, and goes when the worktree goes. */
async function tenancyFile(path: string): Promise<string> {
  return join(await git(path, "rev-parse", "--absolute-git-dir"), TENANCY_FILE);
}

async function readTenancy(path: string): Promise<Tenancy | null> {
  try {
    return JSON.parse(await readFile(await tenancyFile(path), "utf8"));
  } catch {
    return null;
  }
}

async function writeTenancy(path: string, tenancy: Tenancy): Promise<void> {
  const file = await tenancyFile(path);
  await writeFile(`${file}.new`, JSON.stringify(tenancy));
  await rename(`${file}.new`, file);
}

const ourselves = () => ({ host: hostname(), pid: process.pid });

function isInUse({ path, tenancy: { owner } }: Settled): boolean {
  if (owner === null || owner.host !== hostname()) return owner !== null;
  if (owner.pid === process.pid) return inUse.has(path);
  try {
    process.kill(owner.pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
