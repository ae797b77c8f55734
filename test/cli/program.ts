/** The program as it is packed, run as its users run it: a process of its own, with a home of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackage } from "../../src/local/build-package.ts";

export class Ran {
  code: number | null = null;
  out = "";
  err = "";

  /** Standard output as JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
  get json(): any {
    return JSON.parse(this.out);
  }
}

export interface Options {
  env?: Record<string, string>;
  input?: string;
}

export interface Program {
  path: string;
  /** Somewhere to put files; gone afterwards. */
  folder: string;
  run: (args: string[], options?: Options) => Promise<Ran>;
  remove: () => void;
}

export async function buildProgram(): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), "edgeboard-cli-"));
  await buildPackage(folder);
  const path = join(folder, "cli/edgeboard.js");
  return {
    path,
    folder,
    run: (args, options = {}) => run(path, args, { ...options, env: { ...home(folder), ...options.env } }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Nothing of whoever runs the tests: no login, no leases, no colours asked for. */
export const home = (folder: string): Record<string, string> => ({
  PATH: process.env["PATH"] ?? "",
  HOME: folder,
  XDG_CONFIG_HOME: join(folder, "config"),
  XDG_STATE_HOME: join(folder, "state"),
});

export const start = (path: string, args: string[], env: Record<string, string>) =>
  spawn(process.execPath, [path, ...args], { env: env as NodeJS.ProcessEnv, stdio: "pipe" });

async function run(path: string, args: string[], { env = {}, input }: Options): Promise<Ran> {
  const child = start(path, args, env);
  const ran = new Ran();
  child.stdout.on("data", (data: Buffer) => {
    ran.out += data;
  });
  child.stderr.on("data", (data: Buffer) => {
    ran.err += data;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input ?? "");
  [ran.code] = (await once(child, "close")) as [number | null];
  return ran;
}
