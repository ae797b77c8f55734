/** For each route a request that is right, on a board prepared for it: what the wrong ones are made from. */
import type { Route } from "../../src/contract/route.ts";
import type { Task } from "../../src/contract/task.ts";
import { call, newBoard, OPERATOR, type Reply, type TestBoard } from "../support/api.ts";
import { pathOf } from "./support.ts";

export interface Scene {
  board: TestBoard;
  worker: string;
  open: Task;
  other: Task;
  held: Task;
  leaseToken: string;
  runId: string;
  /** It has nothing to tell before another one is disabled. */
  webhookId: string;
}

/** A board with two open tasks and one that a worker holds. */
export async function newScene(): Promise<Scene> {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const open = await board.add({ title: "open" });
  const other = await board.add({ title: "other" });
  const held = await board.add({ title: "held" });
  const { lease } = await board.claim(held.id, worker);
  const webhook = { url: "https://receiver.example/hook", kinds: ["webhook_disabled"] };
  const made = await call(board.lead, "POST", `${board.path}/webhooks`, webhook);
  const { token: leaseToken, executionId: runId } = lease;
  return { board, worker, open, other, held, leaseToken, runId, webhookId: made.json.webhook.id };
}

export const VERDICT = {
  status: "pass",
  attempts: [
    {
      attempt: 1,
      at: 1,
      deterministic: { command: "make test", exitCode: 0, passed: true, durationMs: 5 },
      critic: { ran: false },
      status: "pass",
    },
  ],
  updatedAt: 1,
};

const BEADS = {
  id: "bd-1",
  title: "imported",
  status: "open",
  created_at: "2025-01-01T00:00:00Z",
  updated_at: "2025-01-01T00:00:00Z",
};

export function beads(changes: object = {}): string {
  return JSON.stringify({ ...BEADS, ...changes });
}

export interface Sample {
  token: string;
  path: string;
  /** The right body; null: the route takes none. A string is sent as text. */
  body: Record<string, unknown> | string | null;
}

/** Whose task and which body; a lead asks unless it says otherwise. */
const BODIES: Record<string, (scene: Scene) => Partial<Sample> & { id?: string; query?: string }> = {
  createBoard: () => ({ token: OPERATOR, body: { name: "Another" } }),
  listBoards: () => ({ token: OPERATOR }),
  listDirectoryAudit: () => ({ token: OPERATOR }),
  deleteBoard: ({ board }) => ({ token: OPERATOR, query: `?confirm=${board.id}` }),
  changeBoard: () => ({ body: { name: "Renamed" } }),
  mintToken: () => ({ body: { agentId: "someone", role: "viewer" } }),
  createTask: ({ worker }) => ({ token: worker, body: { title: "new" } }),
  createPlan: () => ({ body: { tasks: [{ ref: "a", title: "a" }] } }),
  changeTask: () => ({ body: { title: "edited" } }),
  restoreTask: () => ({ body: {} }),
  addComment: ({ worker }) => ({ token: worker, body: { body: "hello" } }),
  setVerification: ({ held }) => ({ id: held.id, body: { epoch: 1, result: VERDICT } }),
  importTasks: () => ({ body: beads(), query: "?format=beads" }),
  claimTask: ({ worker }) => ({ token: worker, body: {} }),
  claimNext: ({ worker }) => ({ token: worker, body: { limit: 1 } }),
  heartbeat: ({ worker, held, leaseToken }) => ({ token: worker, id: held.id, body: { leaseToken } }),
  heartbeats: ({ worker, held, leaseToken }) => ({
    token: worker,
    body: { leases: [{ taskId: held.id, leaseToken }] },
  }),
  completeTask: ({ worker, held, leaseToken }) => ({
    token: worker,
    id: held.id,
    body: { leaseToken, outcome: "succeeded", status: "done" },
  }),
  releaseTask: ({ worker, held, leaseToken }) => ({ token: worker, id: held.id, body: { leaseToken } }),
  startExecution: () => ({ body: {} }),
  linkDependency: ({ other }) => ({ body: { dependsOnTaskId: other.id } }),
  cancelDependents: () => ({ body: {} }),
  beginImport: () => ({ body: { format: "beads" } }),
  putImportPart: () => ({ body: beads() }),
  commitImport: () => ({ body: {} }),
  deleteArchive: () => ({ token: OPERATOR }),
  restoreArchive: () => ({ token: OPERATOR, body: {} }),
  openSession: ({ worker }) => ({ body: { token: worker } }),
  linkSession: () => ({ body: {} }),
  stopTask: ({ held }) => ({ id: held.id, body: { mode: "drain", reason: "enough" } }),
  requestChanges: () => ({ body: { notes: "once more" } }),
  reconcile: () => ({ body: { pass: "stale" } }),
  closeExecution: ({ worker, runId, leaseToken }) => ({
    token: worker,
    id: runId,
    body: { leaseToken, status: "failed" },
  }),
  createWorkspace: ({ worker, held, leaseToken }) => ({
    token: worker,
    id: held.id,
    body: { leaseToken, repoPath: "/repo" },
  }),
  changeWorkspace: ({ worker, held, leaseToken }) => ({
    token: worker,
    id: held.id,
    body: { leaseToken, status: "archived" },
  }),
  createWebhook: () => ({ body: { url: "https://example.com/hook", kinds: ["webhook_disabled"] } }),
  changeWebhook: ({ webhookId }) => ({ id: webhookId, body: { kinds: ["webhook_disabled"] } }),
  deleteWebhook: ({ webhookId }) => ({ id: webhookId }),
  listDeliveries: ({ webhookId }) => ({ id: webhookId }),
  replayDelivery: ({ webhookId }) => ({ id: webhookId }),
};

/** Requests that are right in form, and refused all the same on a board like this. */
export const REFUSED_HERE: Record<string, string> = {
  startExecution: "lease_required",
  requestChanges: "illegal_transition",
  changeWorkspace: "conflict",
  putImportPart: "import_not_found",
  commitImport: "import_not_found",
  restoreArchive: "archive_not_found",
};

export function sampleOf(route: Route, scene: Scene): Sample {
  const { board, open, other } = scene;
  const { token = board.lead, id = open.id, body = null, query = "" } = BODIES[route.id]?.(scene) ?? {};
  const path = pathOf(route, { board: board.id, id, dependsOnTaskId: other.id, n: "1" });
  return { token, path: path + query, body };
}

/** The right request with some of its body changed; a member set to undefined is left out. */
export function sendChanged(route: Route, sample: Sample, changes: object): Promise<Reply> {
  return call(sample.token, route.method, sample.path, { ...(sample.body as object), ...changes });
}
