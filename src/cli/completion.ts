/** Scripts that complete commands, options and choices. They are made from the commands, and ask nobody. */
import type { Argument, Command, Option } from "./command.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

/** What every command takes. */
const GLOBAL: Option<unknown>[] = [
  { flags: "--json", about: "answers as JSON" },
  { flags: "--url <address>", about: "the server" },
  { flags: "--token <token>", about: "who you are" },
  { flags: "--board <id>", about: "the board" },
  { flags: "-h, --help", about: "help" },
];

interface Words {
  name: string;
  about: string;
  options: Option<unknown>[];
  args: Argument<unknown>[];
}

export function script(shell: (typeof SHELLS)[number], commands: Map<string, Command>): string {
  const words = [...commands].map(([name, { summary, options = {}, args = {} }]) => ({
    name,
    about: summary,
    options: [...Object.values(options), ...GLOBAL],
    args: Object.values(args),
  }));
  if (shell === "fish") return fish(words);
  const bashed = bash(words);
  return shell === "bash" ? bashed : zsh(bashed);
}

const flagsOf = ({ flags }: Option<unknown>): string[] => flags.match(/--?[\w-]+/g) ?? [];
const takesValue = ({ flags }: Option<unknown>): boolean => flags.includes("<");
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The words that may follow, by what stands before: `""`, `board`, `board create`. */
function nextWords(commands: Words[]): Map<string, string[]> {
  const next = new Map<string, string[]>();
  for (const { name } of commands) {
    const parts = name.split(" ");
    for (const [at, part] of parts.entries()) {
      const before = parts.slice(0, at).join(" ");
      const known = next.get(before) ?? [];
      if (!known.includes(part)) next.set(before, [...known, part]);
    }
  }
  return next;
}

function bash(commands: Words[]): string {
  const next = nextWords(commands);
  const values = new Map<string, string>();
  for (const { name, options } of commands)
    for (const option of options.filter(takesValue))
      for (const flag of flagsOf(option)) values.set(`${name} ${flag}`, offered(option));
  const groups = [...next].map(
    ([before, words]) => `    ${quoted(before)}) words=${quoted(words.join(" "))} ;;`,
  );
  const lines = commands.map(({ name, options, args }) => {
    const flags = options.flatMap(flagsOf).join(" ");
    const [first] = args;
    return `    ${quoted(name)}) words=${quoted(flags)}; args=${quoted(first === undefined ? "" : offered(first))} ;;`;
  });
  const cases = [...values].map(([key, offer]) => `    ${quoted(key)}) values=${quoted(offer)} ;;`);
  return `# Completion of edgeboard for bash. Put in ~/.bashrc: eval "$(edgeboard completion bash)"
_edgeboard() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  local command="" word words="" args="" values="none" at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$word" in
      --url|--token|--board) ((at++)) ;;
      -*) ;;
      *)
        case "\${command:+$command }$word" in
          ${[...commands.map(({ name }) => name), ...next.keys()]
            .filter((name) => name !== "")
            .map(quoted)
            .join("|")}) command="\${command:+$command }$word" ;;
        esac ;;
    esac
  done
  case "$command $before" in
${cases.join("\n")}
  esac
  if [[ "$values" != none ]]; then
    _edgeboard_offer "$values" "$current"
    return
  fi
  case "$command" in
${[...groups, ...lines].join("\n")}
  esac
  if [[ "$current" == -* || -z "$args" ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$current"))
  else
    _edgeboard_offer "$args" "$current"
  fi
}
_edgeboard_offer() {
  case "$1" in
    file) COMPREPLY=($(compgen -f -- "$2")) ;;
    *) COMPREPLY=($(compgen -W "$1" -- "$2")) ;;
  esac
}
complete -o filenames -F _edgeboard edgeboard`;
}

/** zsh reads bash's completions by itself. */
function zsh(bashed: string): string {
  return `#compdef edgeboard
# Completion of edgeboard for zsh. Put in ~/.zshrc, after compinit: eval "$(edgeboard completion zsh)"
autoload -U +X bashcompinit && bashcompinit
${bashed.split("\n").slice(1).join("\n")}`;
}

/** Values of an option, or of an argument, as the script names them. */
function offered({ choices, completes }: Option<unknown> | Argument<unknown>): string {
  return completes === "file" ? "file" : (choices ?? []).join(" ");
}

function fish(commands: Words[]): string {
  const parents = [
    ...new Set(commands.flatMap(({ name }) => (name.includes(" ") ? [name.split(" ")[0]] : []))),
  ];
  const lines = commands.flatMap(({ name, about, options, args }) => {
    const [first = "", second] = name.split(" ");
    const here =
      second === undefined
        ? `__fish_seen_subcommand_from ${first}`
        : `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`;
    const start =
      second === undefined
        ? "__fish_use_subcommand"
        : `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${siblings(commands, first)}`;
    const [argument] = args;
    return [
      `complete -c edgeboard -f -n ${quoted(start)} -a ${second ?? first} -d ${quoted(about)}`,
      ...options.map((option) => fishOption(option, here)),
      ...(argument === undefined ? [] : fishArgument(argument, here)),
    ];
  });
  const groups = parents.map((name) => `complete -c edgeboard -f -n '__fish_use_subcommand' -a ${name}`);
  return [
    "# Completion of edgeboard for fish: save it as ~/.config/fish/completions/edgeboard.fish",
    ...groups,
    ...lines,
  ].join("\n");
}

const siblings = (commands: Words[], first: string): string =>
  commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.split(" ")[1]] : [])).join(" ");

function fishOption(option: Option<unknown>, here: string): string {
  const names = flagsOf(option).map((flag) =>
    flag.startsWith("--") ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
  );
  const value = takesValue(option) ? ["-r", ...fishValues(option)] : [];
  return [`complete -c edgeboard -n ${quoted(here)}`, ...names, ...value, `-d ${quoted(option.about)}`].join(
    " ",
  );
}

function fishArgument(argument: Argument<unknown>, here: string): string[] {
  if (argument.completes === "file") return [`complete -c edgeboard -F -n ${quoted(here)}`];
  if (argument.choices === undefined) return [];
  return [`complete -c edgeboard -f -n ${quoted(here)} -a ${quoted(argument.choices.join(" "))}`];
}

function fishValues({ choices, completes }: Option<unknown>): string[] {
  if (completes === "file") return ["-F"];
  return choices === undefined ? ["-f"] : ["-f", `-a ${quoted(choices.join(" "))}`];
}
