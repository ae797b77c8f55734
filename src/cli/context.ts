/** What a command has at hand. Everything is made when it is first asked for: a short command pays for nothing else. */
import type { Board } from "../client/board.ts";
import { Edgeboard } from "../client/edgeboard.ts";
import type { Command } from "./command.ts";
import { type Config, type Given, readConfig, requireToken } from "./config.ts";
import { EXIT, Failure } from "./failure.ts";
import { Leases } from "./leases.ts";
import type { Output } from "./output.ts";

export type Environment = Record<string, string | undefined>;

export class Context {
  readonly output: Output;
  readonly env: Environment;
  /** `--url`, `--token` and `--board`, as far as they were given. */
  readonly given: Given;
  /** Aborted by the first SIGINT or SIGTERM, for commands that have something to end well; see `stoppable`. */
  readonly signal: AbortSignal;
  /** From here on SIGINT and SIGTERM abort `signal`, instead of ending the process at once. */
  readonly stoppable: () => void;
  /** All commands there are, by their names. */
  readonly commands: () => Promise<Map<string, Command>>;
  #config: Config | undefined;
  #server: Edgeboard | undefined;
  #board: Board | undefined;
  #leases: Leases | undefined;

  constructor(parts: Pick<Context, "output" | "env" | "given" | "signal" | "stoppable" | "commands">) {
    this.output = parts.output;
    this.env = parts.env;
    this.given = parts.given;
    this.signal = parts.signal;
    this.stoppable = parts.stoppable;
    this.commands = parts.commands;
  }

  get config(): Config {
    this.#config ??= readConfig(this.given, this.env);
    return this.#config;
  }

  /** The server, called by our token. */
  get server(): Edgeboard {
    this.#server ??= this.serverFor(this.config.url, requireToken(this.config));
    return this.#server;
  }

  /** A person at a terminal is told that it takes longer; a script hears of it when it is over. */
  serverFor(url: string, token: string): Edgeboard {
    return new Edgeboard({
      url,
      token,
      ...budgetOf(this.env),
      onRetry: ({ attempts }) => {
        if (attempts === 1 && this.output.watched) this.output.note(`No answer from ${url}; trying again.`);
      },
    });
  }

  /** The board that was named, or that the token is for. */
  get board(): Board {
    this.#board ??= this.server.board(this.#boardId());
    return this.#board;
  }

  get leases(): Leases {
    this.#leases ??= new Leases(this.config, this.env);
    return this.#leases;
  }

  #boardId(): string {
    const token = requireToken(this.config);
    const { board } = this.config;
    if (board !== undefined) return board;
    throw new Failure(
      token.includes(".") ? "This token does not say its board." : "This token is good for every board.",
      "Name one by --board or EDGEBOARD_BOARD.",
      EXIT.usage,
    );
  }
}

/** How long a server is tried; the client's own half a minute where EDGEBOARD_BUDGET_S does not say otherwise. */
function budgetOf(env: Environment): { budgetMs?: number } {
  const seconds = env["EDGEBOARD_BUDGET_S"];
  return seconds !== undefined && /^\d{1,5}$/.test(seconds) ? { budgetMs: Number(seconds) * 1_000 } : {};
}
