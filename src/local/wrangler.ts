/** The vendor's program, and what its configuration says. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { parse } from "smol-toml";

export const ROOT = join(import.meta.dirname, "../..");

/** The parts of wrangler.toml that are read here: those of one environment, or of the top level. */
export interface Surroundings {
  name?: string;
  routes?: unknown;
  workers_dev?: boolean;
  /** Where archives go, for whoever wants them. */
  r2_buckets?: { binding: string }[];
  durable_objects: { bindings: { name: string; class_name: string }[] };
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: number } }[];
  secrets: { required: string[] };
}

export interface Configuration extends Surroundings {
  name: string;
  compatibility_date: string;
  assets: { binding: string; run_worker_first: string[] };
  env?: Record<string, Surroundings>;
}

export function readConfiguration(): Configuration {
  return parse(readFileSync(join(ROOT, "wrangler.toml"), "utf8")) as unknown as Configuration;
}

export function wranglerScript(): string {
  const manifest = createRequire(import.meta.url).resolve("wrangler/package.json");
  return join(dirname(manifest), "bin/wrangler.js");
}

export interface Ran {
  code: number;
  output: string;
}

/** Runs it to its end. `loud` shows what it says as it says it, and lets it ask. */
export function runWrangler(
  args: string[],
  { loud = false, variables = process.env }: { loud?: boolean; variables?: NodeJS.ProcessEnv } = {},
): Promise<Ran> {
  const child = spawn(process.execPath, [wranglerScript(), ...args], {
    cwd: ROOT,
    env: { ...variables, WRANGLER_SEND_METRICS: "false", ...(loud ? {} : { FORCE_COLOR: "0" }) },
    stdio: loud ? "inherit" : ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (data: Buffer) => {
      output += data.toString();
    });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}
