/** The commands as commander takes them: what parses a line, and what prints its help. */
import { Argument, Command as Commander, CommanderError, InvalidArgumentError, Option } from "commander";
import manifest from "../../package.json" with { type: "json" };
import { BadValue, type Command } from "./command.ts";
import { GROUPS } from "./commands.ts";
import type { Given } from "./config.ts";
import { Misused } from "./failure.ts";

/** What a line asks for: help and the like as text, or a command with what was said to it. */
export type Parsed =
  | { kind: "text"; text: string }
  | { kind: "command"; command: Command; input: object; given: Given; json: boolean };

const PARENTS: Record<string, string> = {
  board: "Make, list, show and delete boards",
  token: "Mint, list and revoke tokens",
};

/** `loaded`: the commands whose words are needed; of the others the names are enough. */
export function parse(argv: string[], loaded: Map<string, Command>): Parsed {
  const program = new Commander("edgeboard");
  let text = "";
  let parsed: Parsed | null = null;
  program
    .description("Edgeboard: the task board for teams of coding agents")
    .version(manifest.version, "-V, --version", "the version of this program")
    .option("--json", "answers as JSON, and failures as one line of it")
    .option("--url <address>", "the server (EDGEBOARD_URL; http://127.0.0.1:8787)")
    .option("--token <token>", "who you are (EDGEBOARD_TOKEN, or `edgeboard login`)")
    .option("--board <id>", "the board, for a token that is good for all (EDGEBOARD_BOARD)")
    .helpOption("-h, --help", "this help")
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .addHelpText("after", OVERVIEW);
  // Before any command is made, since each takes these over.
  program.exitOverride().configureOutput({
    writeOut: (words) => {
      text += words;
    },
    // A group that was called alone: its help is no answer but a hint.
    writeErr: () => {},
  });
  const parents = new Map<string, Commander>();
  for (const [group, commands] of Object.entries(GROUPS))
    for (const name of Object.keys(commands)) {
      const [first = "", second] = name.split(" ");
      const parent = second === undefined ? program : parentOf(program, parents, first, group);
      const made = parent.command(second ?? first).helpGroup(`${group}:`);
      const command = loaded.get(name);
      if (command === undefined) continue;
      describe(made, command, (input) => {
        const { url, token, board, json = false } = made.optsWithGlobals<Given & { json?: boolean }>();
        parsed = { kind: "command", command, input, given: { url, token, board }, json };
      });
    }
  try {
    program.parse(argv, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: "text", text };
    throw misuse(error, argv, parents);
  }
  if (parsed === null) throw new TypeError("a line that asks for nothing was parsed");
  return parsed;
}

const OVERVIEW = `
  edgeboard login                        say where the board is, and who you are
  edgeboard claim                        take the next task that is ready
  edgeboard done n12 --summary "…"       and say that it is done

\`edgeboard <command> --help\` has examples of each. Exit codes: 0 ok, 1 failed, 2 usage, 3 not allowed,
4 conflict, 5 not reachable.
`;

function parentOf(program: Commander, made: Map<string, Commander>, name: string, group: string): Commander {
  const parent =
    made.get(name) ??
    program
      .command(name)
      .helpGroup(`${group}:`)
      .summary(PARENTS[name] ?? "");
  made.set(name, parent);
  return parent;
}

/** Commander makes an empty text of null. */
const EMPTIED = Symbol("null");

function describe(made: Commander, command: Command, called: (input: object) => void): void {
  const { summary, details, args = {}, options = {}, examples } = command;
  made.summary(summary).description(details === undefined ? `${summary}.` : `${summary}.\n\n${details}`);
  for (const [name, { about, optional, choices, read }] of Object.entries(args)) {
    const argument = new Argument(optional ? `[${name}]` : `<${name}>`, about);
    if (choices !== undefined) argument.choices(choices);
    if (read !== undefined) argument.argParser((given: string) => tried(read, given));
    made.addArgument(argument);
  }
  for (const { flags, about, choices, many, read = String } of Object.values(options)) {
    const option = new Option(flags, choices === undefined ? about : `${about}: ${choices.join(", ")}`);
    if (option.required)
      option.argParser((given: string, before: unknown) => {
        if (choices !== undefined && !choices.includes(given))
          throw new InvalidArgumentError(`It takes one of ${choices.join(", ")}.`);
        const value = tried(read, given);
        return many === true ? [...((before as unknown[] | undefined) ?? []), value] : (value ?? EMPTIED);
      });
    made.addOption(option);
  }
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, does]) => `  ${line.padEnd(width)}   ${does}`);
  made.addHelpText("after", `\nExamples:\n${lines.join("\n")}`);
  made.action(() => {
    const names = Object.keys(args);
    const values = Object.fromEntries(names.map((name, at) => [name, made.processedArgs[at]]));
    const said = Object.entries(made.opts()).map(([name, value]) => [name, value === EMPTIED ? null : value]);
    called({ ...Object.fromEntries(said), ...values });
  });
}

function tried(read: (given: string) => unknown, given: string): unknown {
  try {
    return read(given);
  } catch (error) {
    throw error instanceof BadValue ? new InvalidArgumentError(error.message) : error;
  }
}

/** Commander's own words, as one line, with where to read on. */
function misuse(error: CommanderError, argv: string[], parents: Map<string, Commander>): Misused {
  const [first = "", second = ""] = argv.filter((word) => !word.startsWith("-"));
  const parent = parents.get(first);
  const names = parent?.commands.map((one) => one.name()) ?? [];
  if (error.code === "commander.help")
    return parent === undefined
      ? new Misused("No command is named.", "See `edgeboard --help`.")
      : new Misused(`${first} does nothing by itself.`, `It goes on with ${names.join(", ")}.`);
  const message = error.message
    .replace(/^error: /, "")
    .replace(/\s*\n\s*/g, " ")
    .replace(/^command-argument value ('.*?') is invalid for argument '(.*?)'/, "$1 does not do for <$2>")
    .replace(/^option '(.*?)' argument ('.*?') is invalid/, "$2 does not do for $1")
    .replace(/([^.?!)])$/, "$1.");
  const known = error.code === "commander.unknownCommand" ? "" : first;
  const command = ["edgeboard", known, names.includes(second) ? second : ""].filter((word) => word !== "");
  return new Misused(message, `See \`${command.join(" ")} --help\`.`);
}
