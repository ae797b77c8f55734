/** Tasks in every state that the order of checks speaks of, brought there by the calls that bring tasks there. */
import { decodeJwt } from "jose";
import { type Caller, ROLES } from "../../src/contract/roles.ts";
import { call, newBoard, OPERATOR, ok, type TestBoard } from "../support/api.ts";
import { backdate, inside } from "../support/inside.ts";
import { type Standing, type Status, WHO, type Who } from "./order-of-checks.ts";

const TTL = 180_000;

const RED = JSON.stringify({
  status: "fail",
  attempts: [
    {
      attempt: 1,
      at: 1,
      deterministic: { command: "npm test", exitCode: 1, passed: false, durationMs: 1 },
      critic: { ran: false },
      status: "fail",
    },
  ],
  updatedAt: 1,
});

/** Who asks: the agent, and the role of its token. The holder has two tokens. */
const PEOPLE: Record<Who, [agentId: string, role: string]> = {
  holder: ["holder", "worker"],
  "holder, a verifier": ["holder", "verifier"],
  stranger: ["stranger", "worker"],
  creator: ["creator", "worker"],
  verifier: ["judge", "verifier"],
  lead: ["boss", "lead"],
  operator: ["operator", "operator"],
};

export interface Scene {
  standing: Standing;
  id: string;
  version: number;
  /** The lease that was granted for it, where one was. */
  lease: { token: string; executionId: string; epoch: number } | null;
}

export interface Stage {
  board: TestBoard;
  tokens: Record<Who, string>;
  callers: Record<Who, Caller>;
  incarnation: string;
  scenes: Scene[];
}

type Step = (stage: Omit<Stage, "scenes">, path: string, leaseToken: string) => Promise<unknown>;

const patch =
  (by: Who, status: Status): Step =>
  async ({ tokens }, path, leaseToken) =>
    ok(await call(tokens[by], "PATCH", path, { status, ...(by === "lead" ? {} : { leaseToken }) }));

const post =
  (verb: string, word: object = {}): Step =>
  async ({ tokens }, path, leaseToken) =>
    ok(await call(tokens.holder, "POST", `${path}/${verb}`, { ...word, leaseToken }));

const completed = (status: Status): Step => post("complete", { outcome: "succeeded", status });

/** How a task gets there from `todo`; a claim by the holder comes first where there is a lease. */
const WAYS: readonly [Omit<Standing, "red" | "waits">, ...Step[]][] = [
  [{ from: "backlog", lease: "never granted" }, patch("lead", "backlog")],
  [{ from: "todo", lease: "never granted" }],
  [{ from: "in_progress", lease: "live" }],
  [{ from: "in_review", lease: "live" }, patch("holder", "in_review")],
  [{ from: "in_progress", lease: "expired" }],
  [{ from: "in_review", lease: "expired" }, patch("holder", "in_review")],
  [{ from: "in_progress", lease: "by hand" }, patch("lead", "in_progress")],
  [{ from: "in_review", lease: "by hand" }, patch("lead", "in_progress"), patch("lead", "in_review")],
  [{ from: "todo", lease: "ended", ending: { reason: "released" } }, post("release")],
  [{ from: "blocked", lease: "ended", ending: { reason: "released" } }, patch("holder", "blocked")],
  [
    { from: "in_review", lease: "ended", ending: { reason: "completed", word: "succeeded in_review" } },
    completed("in_review"),
  ],
  [
    { from: "done", lease: "ended", ending: { reason: "completed", word: "succeeded done" } },
    completed("done"),
  ],
  [{ from: "cancelled", lease: "ended", ending: { reason: "cancelled" } }, patch("lead", "cancelled")],
];

/** Plain, with a red verdict, and with an open blocker too. */
const BURDENS = [
  { red: false, waits: false },
  { red: true, waits: false },
  { red: true, waits: true },
];

/** A board with a task for each way there is and each of these burdens. */
export async function setStage(burdens = BURDENS): Promise<Stage> {
  const board = await newBoard({ caps: { maxRootCreates: 1_000 } });
  const tokens = {} as Record<Who, string>;
  const callers = {} as Record<Who, Caller>;
  for (const who of WHO) {
    const [agentId, role] = PEOPLE[who];
    tokens[who] = who === "operator" ? OPERATOR : await board.mint(agentId, role);
    callers[who] = callerOf(tokens[who], role);
  }
  const people = { board, tokens, callers, incarnation: callers.lead.inc ?? "" };
  const blocker = await board.add({ title: "blocker" });
  const scenes: Scene[] = [];
  for (const burden of burdens)
    for (const [standing, ...steps] of WAYS)
      scenes.push(await setScene(people, { ...standing, ...burden }, steps, blocker.id));
  return { ...people, scenes };
}

async function setScene(
  people: Omit<Stage, "scenes">,
  standing: Standing,
  steps: Step[],
  blocker: string,
): Promise<Scene> {
  const { board, tokens } = people;
  const { id } = await board.add({ title: "task" }, tokens.creator);
  const path = `${board.path}/tasks/${id}`;
  const leased = standing.lease !== "never granted" && standing.lease !== "by hand";
  const lease = leased ? (await board.claim(id, tokens.holder)).lease : null;
  for (const step of steps) await step(people, path, lease?.token ?? "");
  // Nothing links a finished task; that it waits for something makes no difference to it.
  if (standing.waits && standing.from !== "done" && standing.from !== "cancelled")
    ok(await call(board.lead, "POST", `${path}/dependencies`, { dependsOnTaskId: blocker }), 201);
  if (standing.red)
    await inside(board, ({ sql }) => sql.run("update tasks set verification = ? where id = ?", RED, id));
  if (standing.lease === "expired") await backdate(board, id, TTL);
  return { standing, id, version: (await board.get(id)).version, lease };
}

function callerOf(token: string, role: string): Caller {
  const known = { role: ROLES.find((each) => each === role) ?? "viewer", runtime: null, capabilities: [] };
  if (role === "operator") return { ...known, sub: "operator", jti: null, inc: null };
  const { sub = "", jti = "", inc } = decodeJwt(token);
  return { ...known, sub, jti, inc: String(inc) };
}
