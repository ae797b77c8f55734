/** Exports and imports through the interface, and what has to hold of a board afterwards. */
import { exports } from "cloudflare:workers";
import { expect } from "vitest";
import { TASK_STATUSES } from "../../src/rules/status.ts";
import { call, ok, type Reply, type TestBoard } from "./api.ts";
import { inside } from "./inside.ts";

/** The response as it comes, for what is said of it and how it is streamed. */
export function openExport(board: TestBoard, token = board.lead): Promise<Response> {
  return exports.default.fetch(`https://edgeboard.test/api/v1${board.path}/export`, {
    headers: { authorization: `Bearer ${token}` },
  });
}

export async function exported(board: TestBoard): Promise<string> {
  const response = await openExport(board);
  const text = new TextDecoder().decode(await response.arrayBuffer());
  expect(response.status, text.slice(0, 500)).toBe(200);
  return text;
}

// biome-ignore lint/suspicious/noExplicitAny: lines of every type
export const linesOf = (text: string): any[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

export const textOf = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join("\n");

/** An export without what each board has of its own: its id, and how far its log has come. */
export async function contentsOf(board: TestBoard): Promise<string[]> {
  const [header, ...lines] = (await exported(board)).trimEnd().split("\n");
  const { id: _id, exportedAtSeq: _seq, ...rest } = JSON.parse(header as string);
  return [JSON.stringify(rest), ...lines];
}

export function sendImport(
  board: TestBoard,
  text: string,
  query = "format=edgeboard",
  headers: Record<string, string> = {},
): Promise<Reply> {
  return call(board.lead, "POST", `${board.path}/import?${query}`, text, {
    "content-type": query.includes("taskmaster") ? "application/json" : "application/x-ndjson",
    ...headers,
  });
}

export const importing = async (board: TestBoard, text: string, query?: string) =>
  ok(await sendImport(board, text, query));

/** Every table that an import may write to, as it stands. */
export const tablesOf = (board: TestBoard) =>
  inside(board, ({ sql }) =>
    [
      "board",
      "tasks",
      "task_deps",
      "task_comments",
      "execution_processes",
      "workspaces",
      "events",
      "audit",
      "task_counts",
      "imports",
      "import_chunks",
    ].map((table) => [table, sql.all(`select * from ${table}`)]),
  );

const EDGE_IS_OPEN = `blocker.status <> 'done'
  and not (blocker.status = 'cancelled' and task_deps.on_cancel = 'satisfy')`;

/** Counters, leases and log against their plain definitions. */
export async function holds(board: TestBoard): Promise<void> {
  await inside(board, ({ sql }) => {
    const none = (query: string, what: string) => expect(sql.all(query), what).toEqual([]);
    none(
      `select id from tasks where open_deps <> (
         select count(*) from task_deps join tasks as blocker on blocker.id = task_deps.depends_on_task_id
         where task_deps.task_id = tasks.id and ${EDGE_IS_OPEN})`,
      "open_deps is the number of open edges",
    );
    for (const status of TASK_STATUSES)
      expect(sql.number(`select ${status} from task_counts`), status).toBe(
        sql.number("select count(*) from tasks where status = ? and dropped = 0", status),
      );
    none(
      "select id from tasks where epoch < (select max(epoch) from execution_processes where task_id = tasks.id)",
      "the epoch is above every run",
    );
    none(
      "select id from tasks where change_seq is not (select max(seq) from events where task_id = tasks.id)",
      "changeSeq is the task's last event",
    );
    none(
      "select id from tasks where status = 'todo' and assignee_agent_id is not null",
      "a todo has no holder",
    );
    const log = sql.all("select seq from events order by seq").map(({ seq }) => Number(seq));
    expect(log, "the log has no gap").toEqual(log.map((_, index) => index + 1));
    const spent = sql.number("select cost_micros from board_usage");
    expect(spent, "what was spent is what the runs cost").toBe(
      Math.round(sql.number("select total(cost_usd + beat_cost_usd) * 1000000.0 from execution_processes")),
    );
  });
}
