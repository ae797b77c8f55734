/** Every command by its name, group by group. A file is loaded when its command is called. */
import type { Command } from "./command.ts";

type Load = () => Promise<{ default: Command }>;

export const GROUPS: Record<string, Record<string, Load>> = {
  "Look at a board": {
    list: () => import("./commands/list.ts"),
    ready: () => import("./commands/ready.ts"),
    show: () => import("./commands/show.ts"),
    explain: () => import("./commands/explain.ts"),
    stuck: () => import("./commands/stuck.ts"),
    stats: () => import("./commands/stats.ts"),
    audit: () => import("./commands/audit.ts"),
    watch: () => import("./commands/watch.ts"),
  },
  "Write tasks": {
    add: () => import("./commands/add.ts"),
    edit: () => import("./commands/edit.ts"),
    move: () => import("./commands/move.ts"),
    comment: () => import("./commands/comment.ts"),
    link: () => import("./commands/link.ts"),
    unlink: () => import("./commands/unlink.ts"),
    plan: () => import("./commands/plan.ts"),
  },
  "Work on tasks": {
    claim: () => import("./commands/claim.ts"),
    beat: () => import("./commands/beat.ts"),
    done: () => import("./commands/done.ts"),
    block: () => import("./commands/block.ts"),
    release: () => import("./commands/release.ts"),
    stop: () => import("./commands/stop.ts"),
    work: () => import("./commands/work.ts"),
  },
  "Bring boards in and out": {
    import: () => import("./commands/import.ts"),
    export: () => import("./commands/export.ts"),
    "archive create": () => import("./commands/archive-create.ts"),
    "archive list": () => import("./commands/archive-list.ts"),
    "archive get": () => import("./commands/archive-get.ts"),
    "archive restore": () => import("./commands/archive-restore.ts"),
    "archive delete": () => import("./commands/archive-delete.ts"),
  },
  "Boards and tokens": {
    "board create": () => import("./commands/board-create.ts"),
    "board list": () => import("./commands/board-list.ts"),
    "board show": () => import("./commands/board-show.ts"),
    "board delete": () => import("./commands/board-delete.ts"),
    "token create": () => import("./commands/token-create.ts"),
    "token list": () => import("./commands/token-list.ts"),
    "token revoke": () => import("./commands/token-revoke.ts"),
  },
  "Set up": {
    login: () => import("./commands/login.ts"),
    connect: () => import("./commands/connect.ts"),
    doctor: () => import("./commands/doctor.ts"),
    completion: () => import("./commands/completion.ts"),
  },
};

const COMMANDS: Record<string, Load> = Object.assign({}, ...Object.values(GROUPS));

export const NAMES: string[] = Object.keys(COMMANDS);

export async function loadCommand(name: string): Promise<Command> {
  const load = COMMANDS[name];
  if (load === undefined) throw new TypeError(`no command ${name}`);
  return (await load()).default;
}

/** Of all commands; for help and completion. */
export async function loadAll(): Promise<Map<string, Command>> {
  const loaded = await Promise.all(NAMES.map(async (name) => [name, await loadCommand(name)] as const));
  return new Map(loaded);
}

/** The command that is meant, read off the words that are no options. */
export function nameIn(words: string[]): string | null {
  const [one = "", two = ""] = words;
  const name = [`${one} ${two}`, one].find((candidate) => Object.hasOwn(COMMANDS, candidate));
  return name ?? null;
}
