/** An Edgeboard on a machine of its own: the folder as it is handed over, started as it would be there. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buildSelfHost } from "../../src/local/build-self-host.ts";
import { freePort } from "../demo/scratch.ts";

export const OPERATOR = "operator-token-of-a-machine-0123456789";
const SIGNING_KEY = "signing-key-of-a-machine-0123456789abcdef";

/** Calls of a token in ten seconds. */
export const TOKEN_LIMIT = 20;

type Started = ChildProcessByStdio<null, null, Readable>;

export interface Machine {
  url: string;
  start: () => Promise<void>;
  /** As if the power went: nothing is written at the end. */
  kill: () => Promise<void>;
  /** What the start says with these secrets, and the code it ends with. */
  refusal: (secrets: Record<string, string>) => Promise<{ code: number; words: string }>;
  remove: () => Promise<void>;
}

export async function newMachine(): Promise<Machine> {
  const folder = mkdtempSync(join(tmpdir(), "edgeboard-self-host-"));
  await buildSelfHost(folder);
  const config = join(folder, "config.capnp");
  const written = readFileSync(config, "utf8");
  // A token's limit is reached in a moment, so that no test has to race against the clock.
  writeFileSync(config, written.replace('\\"limit\\":600', `\\"limit\\":${TOKEN_LIMIT}`));
  const listen = `127.0.0.1:${await freePort()}`;
  const url = `http://${listen}`;
  let running: Started | null = null;
  const begin = (secrets: Record<string, string>): Started =>
    spawn(join(folder, "start.sh"), [], {
      // Nothing else of this process's environment: a machine has its own.
      env: { PATH: "/usr/bin:/bin", EDGEBOARD_LISTEN: listen, ...secrets } as unknown as NodeJS.ProcessEnv,
      stdio: ["ignore", "ignore", "pipe"],
    });
  const kill = async () => {
    if (running === null) return;
    const exited = once(running, "exit");
    running.kill("SIGKILL");
    await exited;
    running = null;
  };
  return {
    url,
    kill,
    start: async () => {
      const child = begin({ EDGEBOARD_OPERATOR_TOKEN: OPERATOR, EDGEBOARD_SIGNING_KEY: SIGNING_KEY });
      running = child;
      const words = said(child);
      const early = once(child, "exit").then(([code]) => {
        throw new Error(`it ended with ${code} before it answered:\n${words()}`);
      });
      await Promise.race([answers(url), early]);
      early.catch(() => {});
    },
    refusal: async (secrets) => {
      const child = begin(secrets);
      const words = said(child);
      const [code] = await once(child, "close");
      return { code, words: words() };
    },
    remove: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What it has complained of so far. */
function said(child: Started): () => string {
  let words = "";
  child.stderr.on("data", (data: Buffer) => {
    words += data.toString();
  });
  return () => words;
}

async function answers(url: string): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    const up = await fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error("it does not answer");
}
