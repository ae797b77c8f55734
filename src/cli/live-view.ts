/** The board as it stands, drawn anew with every change: counts, who holds what, and what happened last. */
import type { Answer } from "../client/calls.ts";
import type { Output } from "./output.ts";
import { clean, oneLine } from "./output.ts";
import { ago, statusColor, until } from "./words.ts";

type Snapshot = Answer<"getSnapshot">;

const HOME = "\x1b[H";
const CLEAR_LINE = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";
const OTHER_SCREEN = "\x1b[?1049h\x1b[?25l";
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is the one that colours begin with
const COLOR = /(\x1b\[[0-9;]*m)/;
const BACK = "\x1b[?25h\x1b[?1049l";

export class LiveView {
  readonly #output: Output;
  readonly #lines: string[] = [];
  #snapshot: Snapshot | null = null;
  #state = "connecting";

  constructor(output: Output) {
    this.#output = output;
    output.streams.stdout.write(OTHER_SCREEN);
  }

  stands(snapshot: Snapshot): void {
    this.#snapshot = snapshot;
    this.draw();
  }

  state(state: string): void {
    this.#state = state;
    this.draw();
  }

  happened(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > 200) this.#lines.shift();
  }

  draw(): void {
    const { columns = 80, rows = 24 } = this.#output.streams.stdout;
    const above = this.#above();
    const below = this.#lines.slice(-Math.max(1, rows - above.length - 2));
    const lines = [...above, "", ...below].slice(0, rows - 1);
    const drawn = lines.map((line) => cut(line, columns) + CLEAR_LINE).join("\r\n");
    this.#output.streams.stdout.write(`${HOME}${drawn}${CLEAR_BELOW}`);
  }

  end(): void {
    this.#output.streams.stdout.write(BACK);
  }

  #above(): string[] {
    const { colors } = this.#output;
    const snapshot = this.#snapshot;
    if (snapshot === null) return [this.#state];
    const { board, counts, columns } = snapshot;
    const held = [...columns.in_progress.tasks, ...columns.in_review.tasks].filter(
      ({ lease }) => lease !== null,
    );
    return [
      `${colors.bold(board.id)}  ${oneLine(board.name)}  ${colors.dim(board.paused ? "paused" : this.#state)}`,
      Object.entries(counts)
        .map(([status, number]) => `${number} ${statusColor(colors, status)(status)}`)
        .join("  "),
      ...held.slice(0, 12).map(({ number, title, lease, heartbeatAt }) => {
        const beat = heartbeatAt === null ? "" : `beat ${ago(heartbeatAt)}`;
        const ends = lease === null ? "" : `ends ${until(lease.expiresAt)}`;
        return `  n${number}  ${oneLine(lease?.agentId ?? "")}  ${oneLine(title)}  ${colors.dim(`${beat}, ${ends}`)}`;
      }),
    ];
  }
}

/** So that no line breaks into two. Colours take no room. */
function cut(line: string, columns: number): string {
  let room = columns;
  return line
    .split(COLOR)
    .map((part) => {
      if (part.startsWith("\x1b[")) return part;
      const kept = clean(part).slice(0, Math.max(0, room));
      room -= kept.length;
      return kept;
    })
    .join("");
}
