/** Sources of another tool, sent through the interface, and a look at what became of them. */
import { expect } from "vitest";
import { call, ok, type Reply, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";

export const DAY = 86_400_000;
export const START = Date.UTC(2026, 2, 1);
export const day = (n: number) => new Date(START + n * DAY).toISOString();

/** An issue made and last changed on the first day. */
export const issue = (id: string, rest: object = {}) => ({
  id,
  title: `Title of ${id}`,
  status: "open",
  created_at: day(0),
  updated_at: day(0),
  ...rest,
});

export const blocks = (...ids: string[]) => ids.map((id) => ({ depends_on_id: id, type: "blocks" }));
export const childOf = (id: string) => ({ depends_on_id: id, type: "parent-child" });

export function send(
  board: TestBoard,
  issues: object[],
  query = "",
  headers: Record<string, string> = {},
): Promise<Reply> {
  return call(
    board.lead,
    "POST",
    `${board.path}/import?format=beads${query}`,
    issues.map((entry) => JSON.stringify(entry)).join("\n"),
    { "content-type": "application/x-ndjson", ...headers },
  );
}

export const importing = async (board: TestBoard, issues: object[], query = "") =>
  ok(await send(board, issues, query));

/** The task a source's issue became. */
export async function of(board: TestBoard, id: string, include = "") {
  const { tasks } = ok(
    await call(board.lead, "GET", `${board.path}/tasks?externalRef=${encodeURIComponent(id)}`),
  );
  expect(tasks).toHaveLength(1);
  return ok(await call(board.lead, "GET", `${board.path}/tasks/${tasks[0].id}?include=${include}`));
}

/** Everything of a board that an import may change. */
export const contents = (board: TestBoard) =>
  inside(board, ({ sql }) =>
    ["tasks", "task_deps", "task_comments", "events", "audit", "task_counts", "replies"].map((table) => [
      table,
      sql.all(`select * from ${table}`),
    ]),
  );

export const NOTHING = {
  created: 0,
  updated: 0,
  unchanged: 0,
  staleSkipped: 0,
  edges: 0,
  comments: 0,
  skipped: [],
  issues: [],
};
