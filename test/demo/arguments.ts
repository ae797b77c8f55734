/** The demo's command line. A mistake in it is a value: one line for the person who made it. */
import { join } from "node:path";
import { parseArgs } from "node:util";

export const USAGE = `npm run demo -- [file] [options]

Starts a local Edgeboard with throwaway storage, imports a plan and lets worker processes drain it,
killing some of them on the way. Exit code 0: every task was done exactly once, after its blockers.

  file            a plan as Beads JSONL (default: the one that ships with the demo)
  --reset         bring every task in as todo, to run a finished plan again
  --workers <n>   worker processes (default 4)
  --kill <n>      workers killed while they hold a task (default 1)
  --help          this text`;

const WORKERS_MAX = 64;

export interface Arguments {
  file: string;
  reset: boolean;
  workers: number;
  kill: number;
  help: boolean;
}

export type Parsed = { ok: true; value: Arguments } | { ok: false; message: string };

export function readArguments(given: string[]): Parsed {
  try {
    const { values, positionals } = parseArgs({
      args: given,
      allowPositionals: true,
      options: {
        reset: { type: "boolean", default: false },
        workers: { type: "string", default: "4" },
        kill: { type: "string", default: "1" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const [file = join(import.meta.dirname, "plan.beads.jsonl"), ...more] = positionals;
    const workers = wholeNumber(values.workers);
    const kill = wholeNumber(values.kill);
    if (more.length > 0) return wrong(`one file at a time, not also ${more.join(" ")}`);
    if (workers === null || workers < 1 || workers > WORKERS_MAX)
      return wrong(`--workers takes a number from 1 to ${WORKERS_MAX}, not "${values.workers}"`);
    if (kill === null) return wrong(`--kill takes a whole number, not "${values.kill}"`);
    if (kill >= workers) return wrong(`--kill ${kill} of ${workers} workers leaves nobody to finish`);
    return { ok: true, value: { file, reset: values.reset, workers, kill, help: values.help } };
  } catch (error) {
    // Node's own words go on to explain its syntax; the first sentence names the mistake.
    return wrong((error as Error).message.split(/\.\s/)[0] ?? "");
  }
}

function wholeNumber(text: string): number | null {
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function wrong(message: string): Parsed {
  return { ok: false, message };
}
