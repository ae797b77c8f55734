/** From a line to an exit code. */
import type { Command } from "./command.ts";
import { loadAll, loadCommand, nameIn } from "./commands.ts";
import { Context, type Environment } from "./context.ts";
import { EXIT, tell } from "./failure.ts";
import { Output, type Streams } from "./output.ts";
import { parse } from "./program.ts";

export async function run(argv: string[], streams: Streams, env: Environment): Promise<number> {
  const beforeEnd = argv.slice(0, argv.includes("--") ? argv.indexOf("--") : undefined);
  const output = new Output(streams, beforeEnd.includes("--json"), env);
  try {
    // To say nothing is to ask what there is to say.
    const line = argv.filter((word) => word !== "--json").length === 0 ? ["--help"] : argv;
    const parsed = parse(line, await wanted(line));
    if (parsed.kind === "text") {
      output.line(parsed.text.trimEnd());
      return EXIT.ok;
    }
    const { command, input, given } = parsed;
    const context = new Context({ output, env, given, commands: loadAll, ...stop() });
    return (await command.run(context, input as never)) ?? EXIT.ok;
  } catch (error) {
    const told = tell(error);
    output.failure(told);
    return told.exit;
  }
}

/** The one command that is called; all of them where that is not clear, for the help and for what was meant. */
async function wanted(argv: string[]): Promise<Map<string, Command>> {
  if (argv.length === 1 && argv.some(isVersion)) return new Map();
  const name = nameIn(wordsOf(argv));
  return name === null ? loadAll() : new Map([[name, await loadCommand(name)]]);
}

const isVersion = (word: string): boolean => word === "-V" || word === "--version";

const VALUED = ["--url", "--token", "--board"];

/** Those that are neither options nor values of the options every command has. */
function wordsOf(argv: string[]): string[] {
  return argv.filter((word, at) => !word.startsWith("-") && !VALUED.includes(argv[at - 1] ?? ""));
}

/** A second signal ends the process as if nobody listened. */
function stop(): Pick<Context, "signal" | "stoppable"> {
  const stopped = new AbortController();
  const stoppable = () => {
    for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopped.abort());
  };
  return { signal: stopped.signal, stoppable };
}
