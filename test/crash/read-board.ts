/** All of a board at one moment: its tables as the export tells them, and the log up to there. */
import type { Board } from "../../src/client/index.ts";
import type { BoardEvent } from "../../src/contract/events.ts";
import type { Line, LineOf } from "../../src/import-export/edgeboard-lines.ts";

export interface Tables {
  /** Where the log stood. */
  seq: number;
  tasks: LineOf<"task">[];
  edges: LineOf<"dependency">[];
  comments: LineOf<"comment">[];
  runs: LineOf<"execution">[];
}

/** One consistent read; a board of more than 32 MB has to be paused for it. */
export async function readTables(board: Board): Promise<Tables> {
  const text = await new Response(await board.export()).text();
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  if (lines.at(-1)?.type !== "end") throw new Error("the export was cut short");
  const of = <T extends Line["type"]>(type: T) => lines.filter((line) => line.type === type) as LineOf<T>[];
  return {
    seq: of("board")[0]?.exportedAtSeq ?? 0,
    tasks: of("task"),
    edges: of("dependency"),
    comments: of("comment"),
    runs: of("execution"),
  };
}

/** The log from its beginning, up to a seq or its end. */
export async function readLog(board: Board, upTo = Number.POSITIVE_INFINITY): Promise<BoardEvent[]> {
  const all: BoardEvent[] = [];
  for (;;) {
    const { events } = await board.events({ after: all.at(-1)?.seq ?? 0, limit: 200 });
    all.push(...events);
    if (events.length === 0 || (all.at(-1)?.seq ?? 0) >= upTo) return all.filter(({ seq }) => seq <= upTo);
  }
}
