/** A local Edgeboard: the same Worker under the local runtime, as a child process. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Secrets } from "./secrets.ts";
import { ROOT, wranglerScript } from "./wrangler.ts";

export interface LocalServer {
  url: string;
  pid: number;
  /** Resolves when the server has gone, by itself or by `stop`. */
  exited: Promise<number>;
  stop: () => Promise<void>;
}

export interface ServerOptions {
  port: number;
  secrets: Secrets;
  /** Where boards are kept. */
  storage: string;
  /** Where the runtime's own words go; they are kept back otherwise. */
  onOutput?: (text: string) => void;
}

/** Starts it and waits until it answers. */
export async function startServer(options: ServerOptions): Promise<LocalServer> {
  const url = `http://127.0.0.1:${options.port}`;
  const child = spawn(process.execPath, [wranglerScript(), ...flags(options)], {
    cwd: ROOT,
    // A file of secrets is not wanted beside the ones given here.
    env: {
      ...process.env,
      ...options.secrets,
      CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: "false",
      CLOUDFLARE_CF_FETCH_ENABLED: "false",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => {
      output.push(data.toString());
      options.onOutput?.(data.toString());
    });
  const exited = new Promise<number>((resolve) => child.on("exit", (code) => resolve(code ?? 0)));
  const stop = async () => {
    child.kill("SIGINT");
    const force = setTimeout(() => child.kill("SIGKILL"), 5_000);
    await exited;
    clearTimeout(force);
  };
  const early = exited.then((code) => {
    throw new Error(`the server stopped with ${code} before it answered:\n${output.join("")}`);
  });
  await Promise.race([answers(url, child), early]);
  early.catch(() => {});
  return { url, pid: child.pid as number, exited, stop };
}

function flags({ port, secrets, storage }: ServerOptions): string[] {
  return [
    "dev",
    ...["--ip", "127.0.0.1", "--port", String(port), "--inspector-port", "0"],
    ...["--persist-to", storage, "--log-level", "warn", "--show-interactive-dev-session=false"],
    ...Object.entries(secrets).flatMap(([name, value]) => ["--var", `${name}:${value}`]),
    // Whoever tries webhooks on their own machine has a receiver there too.
    ...["--var", "EDGEBOARD_ALLOW_PRIVATE_WEBHOOKS:true"],
  ];
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 600 && child.exitCode === null; tries++) {
    const up = await fetch(`${url}/healthz`).then(
      (response) => response.ok,
      () => false,
    );
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  if (child.exitCode === null) throw new Error("the server does not answer");
}
