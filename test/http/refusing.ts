/** For each refusal a route declares by itself: what has to be so on a board, and the request that meets it. */
import { WEBHOOKS_MAX } from "../../src/contract/limits.ts";
import type { Reason } from "../../src/contract/reasons.ts";
import type { Route } from "../../src/contract/route.ts";
import { ROUTES } from "../../src/contract/routes.ts";
import { call, OPERATOR, ok } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { beads, type Scene, VERDICT } from "./samples.ts";

export interface Asked {
  token?: string;
  id?: string;
  dependsOnTaskId?: string;
  deliveryId?: string;
  query?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

type Act = (scene: Scene) => Promise<Asked>;

/** The request alone, on the board as it is. */
const asked =
  (request: Asked | ((scene: Scene) => Asked)): Act =>
  async (scene) =>
    typeof request === "function" ? request(scene) : request;

/** First these, as the lead, then the request. */
const after =
  (
    acts: (scene: Scene) => [method: string, path: string, body?: unknown][],
    then: (scene: Scene) => Asked,
  ): Act =>
  async (scene) => {
    for (const [method, path, body] of acts(scene)) {
      const reply = await call(scene.board.lead, method, scene.board.path + path, body);
      if (reply.status >= 300) throw new Error(reply.text);
    }
    return then(scene);
  };

/** A task made for the request, which is then about it. */
const made =
  (fields: object, request: Asked = {}): Act =>
  async ({ board }) => ({ ...request, id: (await board.add({ title: "made", ...fields })).id });

const capped = (caps: object, body: object): Act =>
  after(
    () => [["PATCH", "", { settings: { caps } }]],
    ({ worker }) => ({ token: worker, body: { title: "x", ...body } }),
  );

const taken = (body: object): Act =>
  after(
    () => [["POST", "/tasks", { title: "first", externalRef: "X" }]],
    () => ({ body }),
  );

const cancelled = (request: Asked = {}): Act =>
  after(
    () => [["PATCH", "/tasks/n1", { status: "cancelled" }]],
    () => request,
  );

/** The holder sends its task to review and goes on holding it. */
const inReview =
  (request: (scene: Scene) => Asked): Act =>
  async (scene) => {
    const { board, worker, held, leaseToken } = scene;
    ok(await call(worker, "PATCH", `${board.path}/tasks/${held.id}`, { status: "in_review", leaseToken }));
    return { id: held.id, token: worker, ...request(scene) };
  };

const finishing = ({ worker, held, leaseToken }: Scene, word = {}): Asked => ({
  token: worker,
  id: held.id,
  body: { leaseToken, outcome: "succeeded", status: "done", ...word },
});

const failing = ({ held }: Scene): [string, string, unknown][] => [
  ["PUT", `/tasks/${held.id}/verification`, { epoch: 1, result: { ...VERDICT, status: "fail" } }],
];

const ownVerdict: Act = async ({ board, open }) => {
  const token = await board.mint("judge", "verifier");
  const { lease } = await board.claim(open.id, token);
  const [attempt] = VERDICT.attempts;
  const result = { ...VERDICT, attempts: [{ ...attempt, critic: { ran: true } }] };
  return { token, body: { epoch: 1, result, leaseToken: lease.token } };
};

const droppedTwin: Act = async ({ board }) => {
  const first = await board.add({ title: "first", externalRef: "X" });
  ok(await call(board.lead, "DELETE", `${board.path}/tasks/${first.id}`));
  await board.add({ title: "second", externalRef: "X" });
  return { id: first.id };
};

const trimmedLog: Act = async ({ board }) => {
  await inside(board, ({ sql }) => sql.run("delete from events where seq < 3"));
  return { query: "?after=0" };
};

const plan = (task: object): Act => asked({ body: { tasks: [{ ref: "a", title: "a", ...task }] } });

/** Two issues that lean on each other. */
const ring = (type: string): Act => {
  const issue = (id: string, on: string) => beads({ id, dependencies: [{ depends_on_id: on, type }] });
  return asked({ body: `${issue("bd-1", "bd-2")}\n${issue("bd-2", "bd-1")}` });
};

export const ACTS: [Route, Reason, Act][] = [
  [
    ROUTES.createBoard,
    "board_exists",
    asked(({ board }) => ({ token: OPERATOR, body: { id: board.id, name: "x" } })),
  ],
  [
    ROUTES.createBoard,
    "invalid_settings",
    asked({ token: OPERATOR, body: { name: "x", settings: { leaseTtlMs: 1 } } }),
  ],
  [ROUTES.changeBoard, "invalid_settings", asked({ body: { settings: { beatEveryMs: 170_000 } } })],
  [ROUTES.revokeToken, "token_not_found", asked({ id: "none" })],
  [ROUTES.createTask, "parent_not_found", asked({ body: { title: "x", parentTaskId: "n99" } })],
  [ROUTES.createTask, "dependency_not_found", asked({ body: { title: "x", dependsOn: ["n99"] } })],
  [ROUTES.createTask, "child_cap", capped({ maxChildren: 0 }, { parentTaskId: "n1" })],
  [ROUTES.createTask, "depth_cap", capped({ maxDepth: 0 }, { parentTaskId: "n1" })],
  [ROUTES.createTask, "root_rate_cap", capped({ maxRootCreates: 0 }, {})],
  [ROUTES.createTask, "duplicate", taken({ title: "x", externalRef: "X" })],
  [ROUTES.createPlan, "parent_not_found", plan({ parentRef: "z" })],
  [ROUTES.createPlan, "dependency_not_found", plan({ dependsOn: ["z"] })],
  [ROUTES.createPlan, "task_dependency_cycle", plan({ dependsOn: ["a"] })],
  [ROUTES.createPlan, "parent_cycle", plan({ parentRef: "a" })],
  [ROUTES.createPlan, "duplicate", taken({ tasks: [{ ref: "a", title: "a", externalRef: "X" }] })],
  [
    ROUTES.changeTask,
    "override_forbidden",
    asked(({ worker: token }) => ({ token, body: { humanOverride: true } })),
  ],
  [
    ROUTES.changeTask,
    "claim_required",
    asked(({ worker: token }) => ({ token, body: { status: "in_progress" } })),
  ],
  [
    ROUTES.changeTask,
    "self_review",
    inReview(({ leaseToken }) => ({ body: { status: "done", leaseToken } })),
  ],
  [ROUTES.changeTask, "version_mismatch", asked({ body: { title: "x" }, headers: { "if-match": '"9"' } })],
  [ROUTES.changeTask, "illegal_transition", asked({ body: { status: "done" } })],
  [ROUTES.changeTask, "not_ready", made({ dependsOn: ["n1"] }, { body: { status: "in_progress" } })],
  [
    ROUTES.changeTask,
    "verification_required",
    after(failing, ({ held }) => ({ id: held.id, body: { status: "done", displace: true } })),
  ],
  [ROUTES.changeTask, "parent_not_found", asked({ body: { parentTaskId: "n99" } })],
  [ROUTES.changeTask, "parent_cycle", asked({ body: { parentTaskId: "n1" } })],
  [ROUTES.changeTask, "duplicate", taken({ externalRef: "X" })],
  [ROUTES.restoreTask, "duplicate", droppedTwin],
  [
    ROUTES.setVerification,
    "stale_epoch",
    asked(({ held }) => ({ id: held.id, body: { epoch: 9, result: VERDICT } })),
  ],
  [ROUTES.setVerification, "self_review", ownVerdict],
  [ROUTES.importTasks, "import_invalid", asked({ body: "nothing" })],
  [ROUTES.importTasks, "task_dependency_cycle", ring("blocks")],
  [ROUTES.importTasks, "parent_cycle", ring("parent-child")],
  [ROUTES.claimTask, "conflict", asked(({ held }) => ({ id: held.id }))],
  [ROUTES.claimTask, "terminal", cancelled()],
  [ROUTES.claimTask, "not_ready", made({ dependsOn: ["n1"] })],
  [ROUTES.claimTask, "not_before", made({ notBefore: 4_102_444_800_000 })],
  [ROUTES.claimTask, "capability_mismatch", made({ requiredCapabilities: ["gpu"] })],
  [ROUTES.claimTask, "runtime_mismatch", made({ assigneeRuntime: "node" })],
  [
    ROUTES.claimTask,
    "depth_cap",
    after(
      () => [
        ["PATCH", "", { settings: { caps: { maxDepth: 0 } } }],
        ["PATCH", "/tasks/n1", { parentTaskId: "n2" }],
      ],
      () => ({}),
    ),
  ],
  [
    ROUTES.claimTask,
    "budget_exhausted",
    after(
      () => [["PATCH", "", { settings: { budgetUsd: 0 } }]],
      () => ({}),
    ),
  ],
  [ROUTES.claimTask, "budget_exhausted", made({ budgetUsd: 0 })],
  [
    ROUTES.claimTask,
    "identity_mismatch",
    asked(({ worker: token }) => ({ token, body: { assigneeAgentId: "other" } })),
  ],
  [
    ROUTES.claimTask,
    "board_paused",
    after(
      () => [["PATCH", "", { paused: true }]],
      () => ({}),
    ),
  ],
  [
    ROUTES.completeTask,
    "already_closed",
    after(
      ({ held, leaseToken }) => [
        // Not back to todo, where the task would become ready by itself after its first short backoff.
        ["POST", `/tasks/${held.id}/complete`, { leaseToken, outcome: "failed", status: "blocked" }],
      ],
      finishing,
    ),
  ],
  [ROUTES.completeTask, "self_review", inReview(finishing)],
  [
    ROUTES.completeTask,
    "illegal_transition",
    inReview((scene) => finishing(scene, { outcome: "failed", status: "todo" })),
  ],
  [
    ROUTES.completeTask,
    "not_ready",
    after(({ held }) => [["POST", `/tasks/${held.id}/dependencies`, { dependsOnTaskId: "n1" }]], finishing),
  ],
  [ROUTES.completeTask, "verification_required", after(failing, finishing)],
  [ROUTES.startExecution, "already_running", asked(({ held }) => ({ id: held.id }))],
  [ROUTES.startExecution, "terminal", cancelled()],
  [ROUTES.startExecution, "lease_required", asked({})],
  [
    ROUTES.startExecution,
    "budget_exhausted",
    after(
      () => [["PATCH", "/tasks/n1", { status: "in_progress", budgetUsd: 0 }]],
      () => ({ body: {} }),
    ),
  ],
  [ROUTES.linkDependency, "dependency_not_found", asked({ body: { dependsOnTaskId: "n99" } })],
  [ROUTES.linkDependency, "task_dependency_cycle", asked({ body: { dependsOnTaskId: "n1" } })],
  [ROUTES.linkDependency, "terminal", cancelled({ body: { dependsOnTaskId: "n2" } })],
  [ROUTES.unlinkDependency, "dependency_not_found", asked({ dependsOnTaskId: "n99" })],
  [ROUTES.listEvents, "resync", trimmedLog],
  [ROUTES.listEvents, "task_not_found", asked({ query: "?taskId=n99" })],
  [ROUTES.getGraph, "task_not_found", asked({ query: "?around=n99" })],
  [ROUTES.stopTask, "conflict", asked({ body: { mode: "drain", reason: "x" } })],
  [ROUTES.requestChanges, "illegal_transition", asked({ body: { notes: "x" } })],
  [ROUTES.closeExecution, "execution_not_found", asked({ id: "none", body: { status: "failed" } })],
  [
    ROUTES.closeExecution,
    "task_not_found",
    after(
      ({ held }) => [["DELETE", `/tasks/${held.id}`]],
      ({ worker, runId, leaseToken }) => ({
        token: worker,
        id: runId,
        body: { status: "failed", leaseToken },
      }),
    ),
  ],
  [ROUTES.createWorkspace, "no_isolation", asked({ body: { repoPath: "/r", kind: "research" } })],
  [ROUTES.changeWorkspace, "conflict", asked({ body: { status: "stale" } })],
  [
    ROUTES.changeWorkspace,
    "illegal_transition",
    after(
      () => [
        ["POST", "/tasks/n1/workspace", { repoPath: "/r" }],
        ["PATCH", "/tasks/n1/workspace", { status: "stale" }],
      ],
      () => ({ body: { status: "active" } }),
    ),
  ],
  [
    ROUTES.createWebhook,
    "webhook_cap",
    after(
      () =>
        Array.from({ length: WEBHOOKS_MAX - 1 }, () => [
          "POST",
          "/webhooks",
          { url: "https://example.com", kinds: ["webhook_disabled"] },
        ]),
      () => ({ body: { url: "https://example.com" } }),
    ),
  ],
  [ROUTES.changeWebhook, "webhook_not_found", asked({ id: "none" })],
  [ROUTES.deleteWebhook, "webhook_not_found", asked({ id: "none" })],
  [ROUTES.listDeliveries, "webhook_not_found", asked({ id: "none" })],
  [ROUTES.replayDelivery, "webhook_not_found", asked({ id: "none" })],
  [ROUTES.replayDelivery, "delivery_not_found", asked(({ webhookId: id }) => ({ id, deliveryId: "1" }))],
  [
    ROUTES.replayDelivery,
    "conflict",
    async ({ board, webhookId: id }) => {
      const path = `${board.path}/webhooks/${id}`;
      ok(await call(board.lead, "PATCH", path, { kinds: ["task_created"] }));
      await board.add({ title: "told" });
      ok(await call(board.lead, "PATCH", path, { disabled: true }));
      const { deliveries } = ok(await call(board.lead, "GET", `${path}/deliveries`));
      return { id, deliveryId: String(deliveries[0].id) };
    },
  ],
];
