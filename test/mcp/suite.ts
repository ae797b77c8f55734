/** The protocol's own conformance suite, at one revision, held against what we say we do not offer. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { NotOffered } from "./not-offered.ts";

export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;

interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

export interface Checked extends Check {
  scenario: string;
}

const SCRIPT = join(
  dirname(createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/package.json")),
  "dist/index.js",
);

/** Every check of every scenario that this revision requires. */
export async function runSuite(url: string, revision: string): Promise<Checked[]> {
  const results = mkdtempSync(join(tmpdir(), "edgeboard-conformance-"));
  try {
    const flags = ["server", "--url", url, "--requirements", revision, "-o", results];
    const child = spawn(process.execPath, [SCRIPT, ...flags], { stdio: "ignore" });
    await new Promise((resolve) => child.on("exit", resolve));
    return readdirSync(results).flatMap((folder) => readChecks(results, folder));
  } finally {
    rmSync(results, { recursive: true, force: true });
  }
}

function readChecks(results: string, folder: string): Checked[] {
  const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(folder)?.[1] ?? folder;
  const checks: Check[] = JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8"));
  return checks.map((check) => ({ ...check, scenario }));
}

export interface Held {
  /** What fails and should not. */
  unexpected: Checked[];
  /** What is said not to be offered, and does not fail. */
  stale: string[];
}

export function holdAgainst(checks: readonly Checked[], notOffered: readonly NotOffered[]): Held {
  const named = new Set(notOffered.flatMap((group) => group.checks));
  const failures = checks.filter(({ status }) => status === "FAILURE");
  const namesOf = ({ scenario, id }: Checked) => [scenario, `${scenario}/${id}`];
  const failed = new Set(failures.flatMap(namesOf));
  return {
    unexpected: failures.filter((check) => !namesOf(check).some((name) => named.has(name))),
    stale: [...named].filter((name) => !failed.has(name)),
  };
}
