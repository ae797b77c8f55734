/** Parameters: each wrong one is named, and none is guessed at or ignored. */
import { describe, expect, it } from "vitest";
import { call, newBoard, OPERATOR, ok } from "../support/api.ts";
import { newScene } from "./samples.ts";
import { invalid, standing } from "./support.ts";

const LIMITS = ["0", "201", "abc", "1.5", "-1", "", "%201", "1e2", "١", "9999999999999999", "1&limit=2"];
const TASK_CURSORS = ["", "abc", "-1", "1.5", "1e3", "0x10", "%2010", "12.34.56", "9".repeat(40), "%00"];
const COUNTING_CURSORS = ["", "abc", "-1", "1.5", "1e3", "0x10", "%205", "9".repeat(40), "%00", "1&cursor=2"];

const PATHS: Record<string, string> = {
  tasks: "/tasks",
  ready: "/tasks",
  comments: "/tasks/n1/comments",
  executions: "/tasks/n1/executions",
  runs: "/executions",
  events: "/events",
  audit: "/audit",
  stuck: "/stuck",
  graph: "/graph",
  stats: "/stats",
  agents: "/agents",
  tokens: "/tokens",
  deliveries: "/webhooks/none/deliveries",
  task: "/tasks/n1",
  import: "/import",
};

const FAULTS: [string, string, Record<string, string[]>][] = [
  ["tasks", "", { limit: LIMITS, cursor: TASK_CURSORS }],
  ["tasks", "order=oldest", { cursor: TASK_CURSORS }],
  [
    "tasks",
    "",
    {
      status: ["nope", "", "TODO", "todo,done"],
      order: ["up", "", "NEWEST"],
      ready: ["maybe", "1", "false"],
    },
  ],
  [
    "tasks",
    "",
    { mine: ["1", "yes"], includeDropped: ["yes", ""], teamId: ["a&teamId=b"], kind: ["x".repeat(501)] },
  ],
  ["tasks", "assigneeAgentId=x", { mine: ["true"] }],
  [
    "tasks",
    "ready=true",
    { order: ["newest", "oldest"], cursor: ["12", "abc", "", "1.2", "1.2.3.4", "-1.2.3", "a.b.c"] },
  ],
  ["comments", "", { limit: LIMITS, cursor: COUNTING_CURSORS }],
  ["executions", "", { limit: LIMITS, cursor: COUNTING_CURSORS }],
  ["runs", "", { limit: LIMITS, cursor: ["", "abc", "-1", "%00", "1.5"], status: ["nope", ""] }],
  ["audit", "", { limit: LIMITS, cursor: COUNTING_CURSORS, kind: ["x".repeat(101)] }],
  [
    "events",
    "",
    { limit: LIMITS, cursor: COUNTING_CURSORS, after: ["-1", "abc", "", "1.5", "1e16"], kind: ["nope", ""] },
  ],
  ["events", "", { order: ["up", "newest"], waitMs: ["-1", "25001", "abc", ""], taskId: ["x".repeat(65)] }],
  ["events", "after=1", { cursor: ["1"] }],
  ["events", "order=desc", { after: ["1"] }],
  ["stuck", "", { limit: LIMITS, reason: ["nope", ""], cursor: ["", "abc", "-1", "%00"] }],
  [
    "graph",
    "",
    { limit: ["0", "5001", "abc"], status: ["nope"], depth: ["1"], around: ["", "x".repeat(65)] },
  ],
  ["graph", "around=n1", { depth: ["0", "11", "abc"], kind: ["bug"], status: ["todo"] }],
  ["stats", "", { days: ["0", "367", "abc", "1.5", ""] }],
  ["agents", "", { days: ["0", "367"], limit: LIMITS }],
  ["tokens", "", { limit: LIMITS }],
  ["deliveries", "", { limit: LIMITS, cursor: COUNTING_CURSORS, state: ["nope", "", "dead&state=pending"] }],
  ["task", "", { include: ["nope", "comments&include=executions"] }],
];

describe.each(FAULTS)("GET %s?%s", (list, query, faults) => {
  it("names the parameter it cannot take", async () => {
    const { board } = await newScene();
    const before = await standing(board);
    for (const [name, values] of Object.entries(faults))
      for (const value of values) {
        const path = `${board.path}${PATHS[list]}?${query}${query === "" ? "" : "&"}${name}=${value}`;
        const reply = await call(board.lead, "GET", path);
        invalid(reply, undefined, `${name}=${value.slice(0, 40)}`);
        const paths = reply.json.issues.map((issue: { path: string }) => issue.path.split(".")[0]);
        expect(paths, `${name}=${value}`).toContain(name);
      }
    expect(await standing(board)).toBe(before);
  });
});

it("the list of boards names the parameter it cannot take", async () => {
  for (const limit of LIMITS) invalid(await call(OPERATOR, "GET", `/boards?limit=${limit}`), "limit", limit);
});

it("a cursor that is no token's and no board's is refused as one", async () => {
  const board = await newBoard();
  for (const cursor of ["", "abc!", "%00", "%20", "..", "'"]) {
    invalid(
      await call(board.lead, "GET", `${board.path}/tokens?cursor=${cursor}`),
      "cursor",
      `tokens ${cursor}`,
    );
    invalid(await call(OPERATOR, "GET", `/boards?cursor=${cursor}`), "cursor", `boards ${cursor}`);
  }
});

it("a board is deleted only by who says its id once more", async () => {
  const board = await newBoard();
  for (const query of ["", "?confirm=", "?confirm=other", `?confirm=${board.id.toUpperCase()}`])
    invalid(await call(OPERATOR, "DELETE", board.path + query), "confirm", query);
  ok(await call(board.lead, "GET", board.path));
});

it("an import says which format it is in", async () => {
  const board = await newBoard();
  const before = await standing(board);
  for (const [query, path] of [
    ["", "format"],
    ["?format=nope", "format"],
    ["?format=beads&reset=maybe", "reset"],
    ["?format=beads&dryRun=1", "dryRun"],
  ] as const)
    invalid(await call(board.lead, "POST", `${board.path}/import${query}`, "{}"), path, query);
  expect(await standing(board)).toBe(before);
});
