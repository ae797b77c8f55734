/** The protocol's own conformance suite, at one revision. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Check, Checked } from "./not-offered.ts";

export const REVISIONS = ["2025-11-25", "2026-07-28"] as const;

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
