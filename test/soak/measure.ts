/** What a running server takes: memory of its processes, bytes of its storage. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export interface Sample {
  at: number;
  /** How long this runtime has been up. */
  upMs: number;
  /** Resident memory of the runtime. */
  rssBytes: number;
  storageBytes: number;
}

/** `workerd` only: the process that starts it is ours. */
export function rssOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      if (!/^Name:\s+workerd/m.test(status)) return sum;
      return sum + Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024;
    } catch {
      return sum;
    }
  }, 0);
}

/** Files of a write-ahead log come and go while we look. */
export function bytesBelow(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).reduce((sum, name) => {
    try {
      const entry = statSync(join(folder, name));
      return entry.isFile() ? sum + entry.size : sum;
    } catch {
      return sum;
    }
  }, 0);
}

export function peak(samples: readonly Sample[], of: "rssBytes" | "storageBytes"): number {
  return Math.max(0, ...samples.map((sample) => sample[of]));
}

/** The middle of them, and their ends. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
