/**
 * `npm run demo`: a board, a plan, a handful of worker processes, some of which are killed in the middle of
 * their work. At the end the board's own log has to show that nothing was lost and nothing done twice.
 */
import { existsSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type Arguments, readArguments, USAGE } from "./arguments.ts";
import { DemoBoard } from "./board.ts";
import { checkHistory } from "./check.ts";
import { Crew } from "./crew.ts";
import { untilDrained } from "./drain.ts";
import { divide, readPlan } from "./plan.ts";
import { showProgress } from "./progress.ts";
import { printReport } from "./report.ts";
import { type Scratch, startScratch } from "./scratch.ts";

const EXIT = { held: 0, failed: 1, usage: 2, interrupted: 130 };

const interrupt = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupt.abort());
// Nobody reads any further (`| head`): the same as Ctrl-C, so that the server is not left behind.
process.stdout.on("error", () => interrupt.abort());

process.exitCode = await main();

async function main(): Promise<number> {
  const parsed = readArguments(process.argv.slice(2));
  if (!parsed.ok) return complain(parsed.message);
  if (parsed.value.help) {
    console.log(USAGE);
    return EXIT.held;
  }
  const source = readSource(parsed.value.file);
  if (source === null) return complain(`cannot read ${parsed.value.file}`);
  let scratch: Scratch | null = null;
  try {
    console.log("Starting Edgeboard on a free port …");
    scratch = await startScratch();
    return await run(scratch, source, parsed.value);
  } catch (error) {
    // Ctrl-C reaches the server too, so whatever was under way fails with it.
    if (interrupt.signal.aborted) {
      console.log("\nInterrupted: stopping workers and server, removing the storage.");
      return EXIT.interrupted;
    }
    console.error(`demo: ${(error as Error).message}`);
    return EXIT.failed;
  } finally {
    await scratch?.stop();
  }
}

async function run(scratch: Scratch, source: string, args: Arguments): Promise<number> {
  const board = await DemoBoard.create(scratch);
  const { created, edges } = await board.importBeads(source, args.reset);
  const { open, leftOut } = divide(readPlan(await board.events()));
  console.log(`${scratch.url}: ${created} tasks, ${edges} edges from ${basename(args.file)}`);
  const closed = created - open.size - leftOut.size;
  if (closed > 0) console.log(`${closed} came in closed and stay so (--reset runs them again)`);
  if (leftOut.size > 0)
    console.log(`${leftOut.size} are left out: blocked, deferred, or waiting for such a task`);
  if (open.size === 0) {
    console.log("There is nothing to do.");
    return EXIT.held;
  }
  console.log(`${open.size} tasks for ${args.workers} workers, of which ${args.kill} will be killed\n`);
  const { tally, wallMs } = await drain(board, open.size, args);
  const verdict = checkHistory(await board.events(), await board.tasks());
  printReport(verdict, tally, wallMs);
  return verdict.faults.length === 0 ? EXIT.held : EXIT.failed;
}

async function drain(board: DemoBoard, open: number, args: Arguments) {
  const tokens = await board.mintWorkers(args.workers);
  interrupt.signal.throwIfAborted();
  const progress = showProgress(open);
  const startedAt = performance.now();
  const crew = new Crew({ boardUrl: board.url, tokens, kill: args.kill, tasks: open, onKill: progress.note });
  try {
    await untilDrained({
      look: () => board.summary(),
      open,
      workersLeft: () => crew.size,
      onProgress: (done) => progress.update(done, crew.tally),
      signal: interrupt.signal,
    });
    return { tally: crew.tally, wallMs: performance.now() - startedAt };
  } finally {
    progress.stop();
    await crew.dismiss();
  }
}

/** A path is meant from where the user stands; npm runs scripts from the project's root. */
function readSource(file: string): string | null {
  const places = [process.env["INIT_CWD"] ?? "", ""].map((place) => resolve(place, file));
  try {
    return readFileSync(places.find(existsSync) ?? file, "utf8");
  } catch {
    return null;
  }
}

function complain(message: string): number {
  console.error(`demo: ${message} (--help tells more)`);
  return EXIT.usage;
}
