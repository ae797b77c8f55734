/** What clients asked of a board and heard, each as it saw it: lines of a history, and the operations they make. Pure. */

export type Call = "create" | "claim" | "beat" | "complete" | "release" | "ready";

/** What is known before a call, and what its answer adds. */
export interface Facts {
  /** Of its own for each call that changes something; the board keeps it. */
  mark?: string;
  taskId?: string;
  epoch?: number;
  /** With `create`: the tasks it waits for. */
  dependsOn?: string[];
  /** With `complete`: outcome and status. */
  word?: string;
  /** With `ready`: the tasks that were listed. */
  offered?: string[];
  /** Of a refusal. */
  code?: string;
}

/** `at` is of one clock for all clients: they run on one machine. */
export type Line =
  | ({ type: "invoke"; client: string; id: number; call: Call; at: number } & Facts)
  | ({ type: "ok" | "fail" | "unknown"; client: string; id: number; at: number } & Facts);

export interface Operation extends Facts {
  client: string;
  call: Call;
  /** `fail`: refused. `unknown`: done or not, nobody knows. */
  outcome: "ok" | "fail" | "unknown";
  /** It happened, if it did, between these two. */
  from: number;
  to: number;
}

/** A call that was never answered, because its client died, may still happen at any time. */
export function pair(lines: readonly Line[]): Operation[] {
  const key = ({ client, id }: Line) => `${client} ${id}`;
  const ends = new Map(lines.filter(({ type }) => type !== "invoke").map((line) => [key(line), line]));
  return lines.flatMap((line): Operation[] => {
    if (line.type !== "invoke") return [];
    const { type: _type, id: _id, at: from, ...asked } = line;
    const end = ends.get(key(line));
    if (end === undefined || end.type === "invoke" || end.type === "unknown")
      return [{ ...asked, outcome: "unknown", from, to: Number.POSITIVE_INFINITY }];
    const { type: outcome, id: _end, client: _client, at: to, ...heard } = end;
    return [{ ...asked, ...heard, outcome, from, to }];
  });
}
