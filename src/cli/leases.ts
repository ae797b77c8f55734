/**
 * The leases this machine holds, between one command and the next: `claim` puts one down, `beat` and `done` take it
 * up. Each is a file of its own, so that commands that run at once never write over each other; they lie apart by
 * server, board and token, so that agents never take up each other's.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Grant } from "../client/lease.ts";
import type { Config } from "./config.ts";
import { writeSecret } from "./login-file.ts";

export interface Held {
  number: number;
  title: string;
  /** Without a token of its own it can still be given by `--lease`. */
  grant: Grant;
}

export class Leases {
  readonly #folder: string;

  constructor(config: Config, env: Record<string, string | undefined>) {
    const owner = [config.url, config.board ?? "", config.token ?? ""].join("\n");
    const scope = createHash("sha256").update(owner).digest("hex").slice(0, 32);
    this.#folder = join(stateFolder(env), "leases", scope);
  }

  keep(held: Held): void {
    writeSecret(this.#fileOf(held.number), held);
  }

  /** By `n12` or by id. */
  find(task: string): Held | null {
    const number = /^n(\d+)$/.exec(task)?.[1];
    if (number !== undefined) return read(this.#fileOf(Number(number)));
    return this.all().find(({ grant }) => grant.taskId === task) ?? null;
  }

  all(): Held[] {
    let names: string[];
    try {
      names = readdirSync(this.#folder);
    } catch {
      return [];
    }
    const held = names
      .filter((name) => /^n\d+\.json$/.test(name))
      .map((name) => read(join(this.#folder, name)));
    return held.filter((one) => one !== null).sort((a, b) => a.number - b.number);
  }

  /** Only this very lease: a newer one of the same task stays. */
  forget({ number, grant }: Held): void {
    const file = this.#fileOf(number);
    if (read(file)?.grant.token === grant.token) rmSync(file, { force: true });
  }

  #fileOf(number: number): string {
    return join(this.#folder, `n${number}.json`);
  }
}

function stateFolder(env: Record<string, string | undefined>): string {
  if (env["EDGEBOARD_STATE"]) return env["EDGEBOARD_STATE"];
  return join(env["XDG_STATE_HOME"] || join(homedir(), ".local", "state"), "edgeboard");
}

function read(file: string): Held | null {
  try {
    const held = JSON.parse(readFileSync(file, "utf8")) as Held;
    return typeof held.grant.token === "string" ? held : null;
  } catch {
    return null;
  }
}
