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

/** A tree that still grows after this is no command any more. */
const ROUNDS = 20;

/**
 * SIGKILL for the tree, and for `known`: those seen earlier, whose parents may have gone since. A process may fork
 * while its tree is being read, but none that was sent this does so again: it is over when nobody new is found.
 */
export function killTree(leader: number, known: readonly number[] = []): void {
  for (const pid of known) send(pid, "SIGKILL");
  const sent = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const before = sent.size;
    for (const pid of signalTree(leader, "SIGKILL")) sent.add(pid);
    if (sent.size === before) return;
  }
}

/** Those it was sent to. */
export function signalTree(leader: number, signal: NodeJS.Signals): number[] {
  const tree = treeOf(leader, processes());
  send(-leader, signal);
  for (const pid of tree) send(pid, signal);
  return tree;
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
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    const [, parent, , session] = statOf(pid);
    return session === undefined
      ? []
      : [{ pid: Number(pid), parent: Number(parent), group: Number(session) }];
  });
}

/** State, parent, group, session, …; nothing where the process has ended meanwhile. */
function statOf(pid: string): string[] {
  try {
    // The name stands in parentheses and may hold anything; what follows it does not.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  } catch {
    return [];
  }
}

function listed(): Process[] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid="], { encoding: "utf8" }).split("\n");
  return lines.flatMap((line) => {
    const [pid, parent, group] = line.trim().split(/\s+/).map(Number);
    return pid && parent !== undefined && group !== undefined ? [{ pid, parent, group }] : [];
  });
}
