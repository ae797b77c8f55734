/** Which processes belong to a command, and how all of them are ended. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface Process {
  pid: number;
  parent: number;
  /** Its session on Linux, its process group elsewhere: what it shares with the command without being its child. */
  group: number;
}

/**
 * Everything below a leader. A process whose parent has ended is still found by its group; only one that left its
 * parents and its session behind, as a daemon does on purpose, is not.
 */
export function treeOf(leader: number, all: readonly Process[]): number[] {
  const found = new Set([leader]);
  for (let before = 0; before < found.size; ) {
    before = found.size;
    for (const { pid, parent, group } of all) if (found.has(parent) || found.has(group)) found.add(pid);
  }
  return [...found];
}

/** Looked at more than once: a process may fork while its tree is being read. */
const ROUNDS = 5;

/** SIGKILL for the tree, and for `known`: those seen earlier, whose parents may have gone since. */
export function killTree(leader: number, known: readonly number[] = []): void {
  for (const pid of known) send(pid, "SIGKILL");
  for (let round = 0; round < ROUNDS; round++) if (!signalTree(leader, "SIGKILL").some(isRunning)) return;
}

/** Those it was sent to. */
export function signalTree(leader: number, signal: NodeJS.Signals): number[] {
  const tree = treeOf(leader, processes());
  send(-leader, signal);
  for (const pid of tree) send(pid, signal);
  return tree;
}

/** A process that has ended and was not waited for yet cannot be killed again. */
function isRunning(pid: number): boolean {
  if (process.platform !== "linux") return false;
  const state = statOf(String(pid))?.[0];
  return state !== undefined && state !== "Z" && state !== "X";
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

function processes(): Process[] {
  if (process.platform !== "linux") return listed();
  return readdirSync("/proc").flatMap((name) => {
    const [, parent, , session] = (/^\d+$/.test(name) && statOf(name)) || [];
    if (parent === undefined) return [];
    return [{ pid: Number(name), parent: Number(parent), group: Number(session) }];
  });
}

/** State, parent, group, session, …; null where the process is gone. */
function statOf(pid: string): string[] | null {
  try {
    // The name stands in parentheses and may hold anything; what follows it does not.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? null;
  } catch {
    return null;
  }
}

function listed(): Process[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [pid, parent, group] = line.trim().split(/\s+/).map(Number);
    return pid && parent !== undefined && group !== undefined ? [{ pid, parent, group }] : [];
  });
}
