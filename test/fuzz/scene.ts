/** A board to ask about, with somebody of every role and some of everything on it; and what is learnt of it since. */
import { randomUUID } from "node:crypto";
import { type Answer, type Json, send } from "./wire.ts";

/** Who asks; the stranger leads another board. */
export const CALLERS = ["none", "viewer", "worker", "verifier", "lead", "operator", "stranger"] as const;
export type CallerName = (typeof CALLERS)[number];

/** A lease somebody was granted, with what it takes to use it. */
export interface Hold {
  caller: CallerName;
  taskId: string;
  executionId: string;
  token: string;
}

export interface Deployment {
  url: string;
  operatorToken: string;
  signingKey: string;
}

export interface Scene extends Deployment {
  board: string;
  /** A word that stands in all texts of this board, and nowhere else. */
  canary: string;
  tokens: Record<CallerName, string | null>;
  tasks: string[];
  executions: string[];
  tokenIds: string[];
  webhooks: string[];
  imports: string[];
  cursors: string[];
  holds: Hold[];
  /** Boards that were made on the way, to be deleted on the way. */
  spare: string[];
  /** The board as it was last exported. */
  exported: string;
}

/** Its leases outlive the run, so that nothing happens here by itself. */
const SETTINGS = { leaseTtlMs: 3_000_000, sweepEveryMs: 500_000, caps: { maxRootCreates: 60 } };

export async function newScene(deployment: Deployment, stranger: string | null): Promise<Scene> {
  const board = `f-${randomUUID()}`;
  const canary = `canary${randomUUID().replaceAll("-", "")}`;
  const path = `/boards/${board}`;
  const settings = { ...SETTINGS };
  const made = await must(deployment, "POST", "/boards", { id: board, name: canary, settings });
  const post = (below: string, body: Json, token = made.token) =>
    must(deployment, "POST", path + below, body, token);
  const mint = (role: string) => post("/tokens", { agentId: `${role}-${canary}`, role });
  const minted = await Promise.all(["viewer", "worker", "verifier"].map(mint));
  const [viewer, worker, verifier] = minted.map(({ token }) => token as string) as [string, string, string];
  const tokens = {
    ...{ none: null, viewer, worker, verifier, lead: made.token as string },
    ...{ operator: deployment.operatorToken, stranger },
  };
  const titles = ["open", "wanted", "waits", "held", "reviewed", "late"].map((word) => `${word} ${canary}`);
  const tasks: string[] = [];
  for (const title of titles) {
    const { task } = await post("/tasks", {
      ...{ title, description: canary, labels: ["fuzz", canary], kind: "bug" },
      ...{ externalRef: title, dependsOn: title.startsWith("waits") ? tasks.slice(0, 1) : [] },
    });
    tasks.push(task.id);
  }
  await post(`/tasks/${tasks[0]}/comments`, { body: canary });
  const scene: Scene = {
    ...{
      ...deployment,
      board,
      canary,
      tokens,
      tasks,
      executions: [],
      tokenIds: [],
      webhooks: [],
      imports: [],
    },
    ...{ cursors: [], holds: [], spare: [], exported: "" },
  };
  for (const [caller, id] of [
    ["worker", tasks[3]],
    ["lead", tasks[4]],
  ] as const)
    learn(scene, caller, await post(`/tasks/${id}/claim`, {}, tokens[caller] as string));
  const hook = { url: `https://${canary}.invalid/hook`, kinds: ["webhook_disabled"] };
  learn(scene, "lead", await post("/webhooks", hook));
  learn(scene, "lead", await post("/imports", { format: "beads" }));
  learn(scene, "lead", await post("/tokens", { agentId: `spare-${canary}`, role: "viewer" }));
  return scene;
}

/** Keeps what later requests may name, wherever in an answer it stands. */
export function learn(scene: Scene, caller: CallerName, json: Json): void {
  if (typeof json !== "object" || json === null) return;
  const keep = (list: string[], id: Json) => {
    if (typeof id === "string" && !list.includes(id)) list.push(id);
    if (list.length > 40) list.splice(6, 1);
  };
  for (const claim of [json, ...(Array.isArray(json.claims) ? json.claims : [])])
    if (claim.lease?.token !== undefined) {
      const { token, executionId } = claim.lease;
      scene.holds.push({ caller, taskId: claim.task.id, executionId, token });
      if (scene.holds.length > 12) scene.holds.shift();
      keep(scene.executions, executionId);
    }
  keep(scene.tasks, json.task?.id);
  keep(scene.tokenIds, json.info?.id);
  keep(scene.webhooks, json.webhook?.id);
  keep(scene.cursors, json.nextCursor);
  if (json.format !== undefined) keep(scene.imports, json.id);
  if (json.board?.id !== undefined && json.token !== undefined) keep(scene.spare, json.board.id);
}

/** Makes a board usable again that was paused, archived or turned, and a token good that was revoked. */
export async function heal(scene: Scene): Promise<void> {
  const path = `/boards/${scene.board}`;
  const change = { archived: false, paused: false, settings: SETTINGS };
  await must(scene, "PATCH", path, change);
  for (const role of ["viewer", "worker", "verifier", "lead"] as const) {
    const known = await ask(scene, "GET", path, undefined, scene.tokens[role]);
    if (known.status !== 401) continue;
    const agentId = `${role}-${scene.canary}`;
    scene.tokens[role] = (await must(scene, "POST", `${path}/tokens`, { agentId, role })).token;
  }
}

/** One ordinary request; the operator asks unless it is said who. */
export function ask(
  { url, operatorToken }: Deployment,
  method: string,
  path: string,
  body?: Json,
  token: string | null = operatorToken,
): Promise<Answer> {
  return send(url, {
    method,
    target: `/api/v1${path}`,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    body: body === undefined ? null : Buffer.from(JSON.stringify(body)),
  });
}

/** One that has no reason to be refused. */
export async function must(
  deployment: Deployment,
  method: string,
  path: string,
  body?: Json,
  token = deployment.operatorToken,
): Promise<Json> {
  const answer = await ask(deployment, method, path, body, token);
  if (answer.status === 429) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    return must(deployment, method, path, body, token);
  }
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.text.slice(0, 500)}`);
  return answer.json;
}
