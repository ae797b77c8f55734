/** Where `edgeboard login` keeps the server and its token, for nobody else to read. */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Failure } from "./failure.ts";

export interface Login {
  url: string;
  token: string;
  /** For a token that is good for every board. */
  board?: string;
}

type Environment = Record<string, string | undefined>;

export function loginPath(env: Environment): string {
  return join(env["XDG_CONFIG_HOME"] || join(homedir(), ".config"), "edgeboard", "login.json");
}

export function readLogin(env: Environment): Login | null {
  const path = loginPath(env);
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return null;
  }
  try {
    const { url, token, board } = JSON.parse(text) as Partial<Login>;
    if (typeof url === "string" && typeof token === "string")
      return { url, token, ...(typeof board === "string" ? { board } : {}) };
  } catch {}
  throw new Failure(`${path} cannot be read as a login.`, "Run `edgeboard login` again.");
}

export function writeLogin(env: Environment, login: Login): string {
  const path = loginPath(env);
  writeSecret(path, login);
  return path;
}

export function forgetLogin(env: Environment): string {
  const path = loginPath(env);
  rmSync(path, { force: true });
  return path;
}

/** Whole or not at all, and at no moment readable by anybody else. */
export function writeSecret(path: string, value: object): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(value)}\n`, { mode: 0o600 });
  // The mode above is not that of a file which is there already.
  chmodSync(draft, 0o600);
  renameSync(draft, path);
}
