/** What `/proc` knows of processes: who started whom, and how much memory each has. */
import { readdirSync, readFileSync } from "node:fs";

/** Children first. A process that ends meanwhile has no entry any more. */
export function descendants(of: number): number[] {
  const parents = new Map<number, number[]>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const parent = parentOf(name);
    if (parent !== null) parents.set(parent, [...(parents.get(parent) ?? []), Number(name)]);
  }
  const below = (pid: number): number[] =>
    (parents.get(pid) ?? []).flatMap((child) => [...below(child), child]);
  return below(of);
}

function parentOf(pid: string): number | null {
  try {
    // The name stands in parentheses and may hold anything; what follows it does not.
    const after = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1) ?? "";
    return Number(after.split(" ")[1]);
  } catch {
    return null;
  }
}
