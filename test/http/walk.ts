/** A walk through every route of the interface, each answer held against its contract. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";
import type * as z from "zod";
import type { Route } from "../../src/contract/route.ts";
import { ROUTES } from "../../src/contract/routes.ts";
import { call, OPERATOR, type TestBoard } from "../support/api.ts";
import { backdate } from "../support/inside.ts";
import { newReceiver, told } from "../support/receiver.ts";
import { beads, VERDICT } from "./samples.ts";
import { pathOf } from "./support.ts";

interface Ask {
  token: string;
  board?: string;
  id?: string;
  dependsOnTaskId?: string;
  n?: string;
  deliveryId?: string;
  query?: string;
  body?: unknown;
}

/** Asks, holds the answer against the contract, and remembers which answers were seen. */
export class Walk {
  readonly #send: typeof call;

  /** Another `send` asks another Worker. */
  constructor(send: typeof call = call) {
    this.#send = send;
  }

  readonly seen = new Set<string>();
  readonly members = new Set<string>();

  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  async ask(route: Route, status: number, { token, query = "", body, ...params }: Ask): Promise<any> {
    const reply = await this.#send(token, route.method, pathOf(route, params) + query, body);
    const what = `${route.id} ${status}`;
    expect([what, reply.status], reply.text.slice(0, 400)).toEqual([what, status]);
    const schema: z.ZodType | null | undefined = route.answers[status];
    expect(schema, `${what} is not declared`).not.toBeUndefined();
    this.seen.add(what);
    if (schema === null || schema === undefined) {
      const type = route.textAnswer?.type ?? null;
      expect([what, reply.text === "", reply.headers.get("content-type")]).toEqual([
        what,
        type === null,
        type,
      ]);
      return reply.text;
    }
    expect(reply.headers.get("content-type")).toMatch(/^application\/json/);
    const parsed = schema.safeParse(reply.json);
    expect([what, parsed.error?.issues]).toEqual([what, undefined]);
    // What the contract does not name was dropped by parsing, so that a difference is a member nobody documented.
    expect(parsed.data, what).toEqual(reply.json);
    for (const member of Object.keys(reply.json)) this.members.add(`${route.id}.${member}`);
    return reply.json;
  }
}

/** A board from its beginning to its end, through everything that can be asked of it. */
export async function walkThrough(walk: Walk): Promise<void> {
  const made = await walk.ask(ROUTES.createBoard, 201, {
    token: OPERATOR,
    body: { name: "Walk", settings: { budgetUsd: 100, maxRunMs: 60_000 } },
  });
  const board: string = made.board.id;
  const lead = { token: made.token as string, board };
  await walk.ask(ROUTES.openSession, 200, { token: OPERATOR, body: { token: OPERATOR } });
  await walk.ask(ROUTES.linkSession, 201, { token: OPERATOR, body: {} });
  await walk.ask(ROUTES.closeSession, 204, { token: OPERATOR });
  await walk.ask(ROUTES.listBoards, 200, { token: OPERATOR });
  await walk.ask(ROUTES.getBoard, 200, lead);
  await walk.ask(ROUTES.changeBoard, 200, {
    ...lead,
    body: { name: "Walked", settings: { caps: { maxDepth: 3 } } },
  });
  const mint = (agentId: string, role: string, extra = {}) =>
    walk.ask(ROUTES.mintToken, 201, { ...lead, body: { agentId, role, ...extra } });
  const minted = await mint("agent", "worker", { runtime: "node", capabilities: ["gpu"], expiresInS: 600 });
  const worker = { token: minted.token as string, board };
  const verifier = { token: (await mint("judge", "verifier")).token as string, board };
  for (const who of [lead, worker, { token: OPERATOR }])
    await walk.ask(ROUTES.whoAmI, 200, { token: who.token });

  const root = (await walk.ask(ROUTES.createTask, 201, { ...lead, body: { title: "root" } })).task;
  const rich = {
    title: "rich",
    description: "text",
    status: "todo",
    priority: 9,
    labels: ["a"],
    kind: "bug",
    requiredCapabilities: ["gpu"],
    notBefore: 1,
    budgetUsd: 5,
    teamId: "team",
    assigneeRuntime: "node",
    sourceDelegationId: "d",
    parentSessionId: "s",
    scheduledBy: "cron",
    externalRef: "X-1",
    tenantId: "tenant",
    parentTaskId: root.id,
    dependsOn: [root.id],
  };
  const { task } = await walk.ask(ROUTES.createTask, 201, { ...lead, body: rich });
  const tasks = [
    { ref: "a", title: "a" },
    { ref: "b", title: "b", parentRef: "a", dependsOn: ["a"] },
  ];
  await walk.ask(ROUTES.createPlan, 200, { ...lead, body: { tasks, dryRun: true } });
  const plan = await walk.ask(ROUTES.createPlan, 201, { ...lead, body: { tasks } });
  await walk.ask(ROUTES.importTasks, 200, {
    ...lead,
    query: "?format=beads&reset=true",
    body: `${beads({ notes: "said" })}\n${beads({ id: "bd-2", status: "tombstone" })}`,
  });
  const link = { ...lead, id: task.id, body: { dependsOnTaskId: plan.tasks[0].id } };
  await walk.ask(ROUTES.linkDependency, 201, link);
  await walk.ask(ROUTES.linkDependency, 200, link);
  await walk.ask(ROUTES.listDependents, 200, { ...lead, id: root.id });
  await walk.ask(ROUTES.listAncestors, 200, { ...lead, id: task.id });
  await walk.ask(ROUTES.unlinkDependency, 200, { ...lead, id: task.id, dependsOnTaskId: plan.tasks[0].id });

  const held = { ...lead, id: root.id };
  const first = await walk.ask(ROUTES.claimTask, 200, {
    ...held,
    token: worker.token,
    body: { runReason: "try" },
  });
  const leaseToken: string = first.lease.token;
  const holder = { ...worker, id: root.id };
  await walk.ask(ROUTES.addComment, 201, { ...held, body: { body: "hello" } });
  const usage = { inputTokens: 1, outputTokens: 2, costUsd: 0.5 };
  await walk.ask(ROUTES.stopTask, 200, { ...held, body: { mode: "drain", reason: "enough" } });
  await walk.ask(ROUTES.heartbeat, 200, { ...holder, body: { leaseToken, progress: "half", usage } });
  const leases = [{ taskId: root.id, leaseToken }, { taskId: root.id, leaseToken: "old" }, { taskId: "n99" }];
  const beats = await walk.ask(ROUTES.heartbeats, 200, { ...worker, body: { leases } });
  expect(beats.results.map(({ ok, code }: { ok: boolean; code?: string }) => code ?? ok)).toEqual([
    true,
    "lease_lost",
    "task_not_found",
  ]);
  await walk.ask(ROUTES.getWorkspace, 200, holder);
  const place = { leaseToken, repoPath: "/repo", branch: "main", worktreePath: "/tree", baseSha: "abc" };
  await walk.ask(ROUTES.createWorkspace, 201, { ...holder, body: place });
  await walk.ask(ROUTES.getWorkspace, 200, holder);
  await walk.ask(ROUTES.changeWorkspace, 200, { ...holder, body: { leaseToken, status: "archived" } });
  const attempt = VERDICT.attempts[0] as object;
  const findings = [{ severity: "style", title: "tabs", filePath: "a.ts", startLine: 1, confidence: 0.5 }];
  const result = {
    ...VERDICT,
    attempts: [{ ...attempt, critic: { ran: true, findings, reviewerModel: "m", reviewedSha: "abc" } }],
    structuredError: { what: "x" },
    debtNotes: ["later"],
  };
  await walk.ask(ROUTES.setVerification, 200, { ...verifier, id: root.id, body: { epoch: 1, result } });
  await walk.ask(ROUTES.getVerification, 200, held);
  await walk.ask(ROUTES.changeTask, 200, { ...holder, body: { leaseToken, description: "found out" } });
  const handoff = { done: ["a"], next: "b", commands: { verify: "make" } };
  await walk.ask(ROUTES.releaseTask, 200, { ...holder, body: { leaseToken, reason: "tired", handoff } });
  const second = await walk.ask(ROUTES.claimTask, 200, { ...holder, body: {} });
  expect(second.handoff).toEqual(handoff);
  const late = {
    path: `/boards/${board}`,
    lead: lead.token,
    stub: () => env.BOARDS.getByName(board),
  } as TestBoard;
  await backdate(late, root.id, 200_000);
  await walk.ask(ROUTES.listTasks, 200, { ...lead, query: "?status=in_progress" });
  const word = { leaseToken: second.lease.token, outcome: "succeeded", status: "done", summary: "did it" };
  const done = await walk.ask(ROUTES.completeTask, 200, { ...holder, body: word });
  expect([done.late, done.unblocked.length]).toEqual([true, 1]);
  const claims = await walk.ask(ROUTES.claimNext, 200, { ...worker, body: { limit: 1 } });
  expect(claims.claims[0].blockers).toMatchObject([{ summary: "did it" }]);
  const run = claims.claims[0].lease;
  const closing = { leaseToken: run.token, status: "failed", error: "broke", costUsd: 1 };
  await walk.ask(ROUTES.closeExecution, 200, { ...worker, id: run.executionId, body: closing });
  await walk.ask(ROUTES.listRuns, 200, lead);
  await walk.ask(ROUTES.reconcile, 200, { ...lead, body: { pass: "stale" } });

  const plain = { ...lead, id: plan.tasks[0].id as string };
  await walk.ask(ROUTES.changeTask, 200, { ...plain, body: { status: "in_progress" } });
  await walk.ask(ROUTES.startExecution, 201, { ...plain, body: {} });
  await walk.ask(ROUTES.changeTask, 200, {
    ...plain,
    body: { status: "in_review", displace: true, overrideReason: "x" },
  });
  await walk.ask(ROUTES.requestChanges, 200, { ...verifier, id: plain.id, body: { notes: "again" } });
  await walk.ask(ROUTES.changeTask, 200, { ...plain, body: { status: "cancelled" } });
  const cancelled = await walk.ask(ROUTES.cancelDependents, 200, { ...plain, body: {} });
  expect(cancelled.cancelled).toHaveLength(1);
  await walk.ask(ROUTES.dropTask, 200, plain);
  await walk.ask(ROUTES.restoreTask, 200, { ...plain, body: {} });
  await walk.ask(ROUTES.changeBoard, 200, { ...lead, body: { paused: true } });
  await walk.ask(ROUTES.claimNext, 200, { ...worker, body: {} });

  await walk.ask(ROUTES.listTasks, 200, { ...lead, query: "?limit=2" });
  await walk.ask(ROUTES.listTasks, 200, { ...lead, query: "?ready=true" });
  const everything = "?include=comments,executions,ancestors,dependencies,dependents,workspace,verification";
  for (const id of [root.id, task.id])
    await walk.ask(ROUTES.getTask, 200, { ...lead, id, query: everything });
  await walk.ask(ROUTES.getTask, 200, { ...lead, id: "n1" });
  await walk.ask(ROUTES.listComments, 200, held);
  await walk.ask(ROUTES.listExecutions, 200, held);
  await walk.ask(ROUTES.listEvents, 200, { ...lead, query: "?limit=200" });
  await walk.ask(ROUTES.listEvents, 200, { ...lead, query: "?limit=2&order=desc" });
  await walk.ask(ROUTES.listEvents, 200, { ...lead, query: "?limit=2&cards=true" });
  await walk.ask(ROUTES.listAudit, 200, lead);
  expect(await walk.ask(ROUTES.exportAudit, 200, lead)).toContain('"type":"end"');
  await walk.ask(ROUTES.listDirectoryAudit, 200, { token: OPERATOR });
  await walk.ask(ROUTES.getStats, 200, { ...lead, query: "?days=7" });
  await walk.ask(ROUTES.listAgents, 200, lead);
  expect(await walk.ask(ROUTES.getMetrics, 200, lead)).toContain("edgeboard_tasks{");
  const receiver = newReceiver();
  await receiver.answers(500);
  const hook = await walk.ask(ROUTES.createWebhook, 201, { ...lead, body: { url: receiver.url } });
  const subscribed = { ...lead, id: hook.webhook.id as string };
  const [sent] = await told(late, subscribed.id);
  await walk.ask(ROUTES.listDeliveries, 200, subscribed);
  await walk.ask(ROUTES.replayDelivery, 200, { ...subscribed, deliveryId: String(sent?.id) });
  await walk.ask(ROUTES.changeWebhook, 200, { ...subscribed, body: { disabled: true } });
  await walk.ask(ROUTES.listWebhooks, 200, lead);
  await walk.ask(ROUTES.deleteWebhook, 204, subscribed);
  const begun = await walk.ask(ROUTES.beginImport, 201, { ...lead, body: { format: "beads" } });
  const session = { ...lead, id: begun.id as string };
  await walk.ask(ROUTES.putImportPart, 200, { ...session, n: "1", body: beads({ id: "bd-3" }) });
  await walk.ask(ROUTES.commitImport, 200, { ...session, body: {} });
  await walk.ask(ROUTES.dropImport, 204, session);
  for (const id of [root.id, task.id, plain.id]) await walk.ask(ROUTES.explainTask, 200, { ...worker, id });
  await walk.ask(ROUTES.listStuck, 200, lead);
  await walk.ask(ROUTES.getSnapshot, 200, lead);
  await walk.ask(ROUTES.getGraph, 200, lead);
  await walk.ask(ROUTES.getGraph, 200, { ...lead, query: "?around=n1&depth=3" });
  await walk.ask(ROUTES.getStats, 200, lead);
  await walk.ask(ROUTES.listAgents, 200, lead);
  expect(await walk.ask(ROUTES.exportBoard, 200, lead)).toContain('"found out"');
  const put = await walk.ask(ROUTES.createArchive, 201, lead);
  await walk.ask(ROUTES.listArchives, 200, lead);
  const away = { token: OPERATOR, board, id: put.archive.id as string };
  expect(await walk.ask(ROUTES.getArchive, 200, away)).toContain('"found out"');
  await walk.ask(ROUTES.restoreArchive, 200, { ...away, body: { dryRun: true } });
  await walk.ask(ROUTES.deleteArchive, 204, away);
  await walk.ask(ROUTES.revokeToken, 204, { ...lead, id: minted.info.id });
  await walk.ask(ROUTES.listTokens, 200, lead);
  await walk.ask(ROUTES.deleteBoard, 204, { token: OPERATOR, board, query: `?confirm=${board}` });
}
