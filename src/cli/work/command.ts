/**
 * Runs one command of the user's through the shell, in a session of its own, and leaves nothing of it behind: not
 * when it ends, not when it has to stop, and not when the runner itself is killed.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { pause } from "../../client/pause.ts";
import { killTree, signalTree } from "./process-tree.ts";
import { Tail } from "./tail.ts";

export interface CommandOptions {
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** Why the command may have to stop, and how long it may then take to do so by itself. */
  stops: readonly Stop[];
}

export interface Stop {
  signal: AbortSignal;
  graceMs: number;
}

export interface Ran {
  /** Null where a signal ended it, or it could not be started. */
  exitCode: number | null;
  /** What ended it, where that was not itself. */
  endedBy: string | null;
  durationMs: number;
  stdoutTail: string;
  stderrTail: string;
}

/**
 * A leash: a process in the command's group reads from a pipe whose other end only the runner holds. When the runner
 * is gone, however that came, the read ends, and with it the group. It is nobody's child, so that the command's own
 * `wait` knows nothing of it.
 */
const LEASHED = `( { read -r _ <&3; kill -KILL 0; } >/dev/null 2>&1 & ); exec 3<&-; exec /bin/sh -c "$1"`;

/** What a process outside of the group still holds open is not waited for longer than this. */
const LAST_OUTPUT_MS = 500;

export async function runCommand(command: string, options: CommandOptions): Promise<Ran> {
  const { cwd, env, stops } = options;
  const startedAt = performance.now();
  const stdout = new Tail();
  const stderr = new Tail();
  const result = (exitCode: number | null, endedBy: string | null): Ran => ({
    exitCode,
    endedBy,
    durationMs: Math.round(performance.now() - startedAt),
    stdoutTail: stdout.text,
    stderrTail: stderr.text,
  });
  if (stops.some(({ signal }) => signal.aborted)) return result(null, "stopped");
  const child = spawn("/bin/sh", ["-c", LEASHED, "sh", command], {
    cwd,
    env,
    detached: true,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  child.stdout?.on("data", (chunk: Buffer) => stdout.add(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.add(chunk));
  // The leash's end breaks when the command closes what it inherited; that is no news.
  child.stdio[3]?.on("error", () => {});
  const { pid } = child;
  const closed = once(child, "close");
  closed.catch(() => {});
  if (pid === undefined) {
    const [error] = (await once(child, "error")) as [Error];
    return result(null, error.message);
  }
  const over = new AbortController();
  for (const { signal, graceMs } of stops)
    signal.addEventListener("abort", () => void stopTree(pid, graceMs, over.signal), {
      once: true,
      signal: over.signal,
    });
  const [code, endedBy] = (await once(child, "exit")) as [number | null, string | null];
  over.abort();
  killTree(pid);
  await Promise.race([closed, pause(LAST_OUTPUT_MS)]);
  for (const pipe of child.stdio) pipe?.destroy();
  return result(code, endedBy);
}

async function stopTree(leader: number, graceMs: number, over: AbortSignal): Promise<void> {
  const known = signalTree(leader, "SIGTERM");
  await pause(graceMs, over);
  // Where the shell has ended, what it left behind is ended too: it was asked, and did not go.
  killTree(leader, known);
}
