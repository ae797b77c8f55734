/**
 * Where each route lies, without the schemas: loading those takes longer than a short command may take in all. The
 * contract stays the truth: the compiler refuses an address that is not the route's own, one too many and one too few.
 */
import type { ROUTES } from "../contract/routes.ts";

export type Routes = typeof ROUTES;
export type RouteName = keyof Routes;

export const ADDRESSES = {
  createBoard: "POST /boards",
  listBoards: "GET /boards",
  getBoard: "GET /boards/:board",
  changeBoard: "PATCH /boards/:board",
  deleteBoard: "DELETE /boards/:board",

  mintToken: "POST /boards/:board/tokens",
  listTokens: "GET /boards/:board/tokens",
  revokeToken: "DELETE /boards/:board/tokens/:id",
  whoAmI: "GET /me",
  openSession: "POST /session",
  linkSession: "POST /session/link",
  closeSession: "DELETE /session",

  createTask: "POST /boards/:board/tasks",
  createPlan: "POST /boards/:board/plans",
  listTasks: "GET /boards/:board/tasks",
  getTask: "GET /boards/:board/tasks/:id",
  changeTask: "PATCH /boards/:board/tasks/:id",
  dropTask: "DELETE /boards/:board/tasks/:id",
  restoreTask: "POST /boards/:board/tasks/:id/restore",
  addComment: "POST /boards/:board/tasks/:id/comments",
  listComments: "GET /boards/:board/tasks/:id/comments",
  setVerification: "PUT /boards/:board/tasks/:id/verification",
  getVerification: "GET /boards/:board/tasks/:id/verification",

  claimTask: "POST /boards/:board/tasks/:id/claim",
  claimNext: "POST /boards/:board/claims",
  heartbeat: "POST /boards/:board/tasks/:id/heartbeat",
  heartbeats: "POST /boards/:board/heartbeats",
  completeTask: "POST /boards/:board/tasks/:id/complete",
  releaseTask: "POST /boards/:board/tasks/:id/release",
  startExecution: "POST /boards/:board/tasks/:id/executions",
  listExecutions: "GET /boards/:board/tasks/:id/executions",
  listRuns: "GET /boards/:board/executions",
  closeExecution: "PATCH /boards/:board/executions/:id",

  linkDependency: "POST /boards/:board/tasks/:id/dependencies",
  unlinkDependency: "DELETE /boards/:board/tasks/:id/dependencies/:dependsOnTaskId",
  listDependents: "GET /boards/:board/tasks/:id/dependents",
  listAncestors: "GET /boards/:board/tasks/:id/ancestors",
  cancelDependents: "POST /boards/:board/tasks/:id/cancel-dependents",

  stopTask: "POST /boards/:board/tasks/:id/stop",
  requestChanges: "POST /boards/:board/tasks/:id/request-changes",
  reconcile: "POST /boards/:board/reconcile",
  createWorkspace: "POST /boards/:board/tasks/:id/workspace",
  getWorkspace: "GET /boards/:board/tasks/:id/workspace",
  changeWorkspace: "PATCH /boards/:board/tasks/:id/workspace",

  importTasks: "POST /boards/:board/import",
  beginImport: "POST /boards/:board/imports",
  putImportPart: "PUT /boards/:board/imports/:id/parts/:n",
  commitImport: "POST /boards/:board/imports/:id/commit",
  dropImport: "DELETE /boards/:board/imports/:id",
  exportBoard: "GET /boards/:board/export",

  createArchive: "POST /boards/:board/archives",
  listArchives: "GET /boards/:board/archives",
  getArchive: "GET /boards/:board/archives/:id",
  deleteArchive: "DELETE /boards/:board/archives/:id",
  restoreArchive: "POST /boards/:board/archives/:id/restore",

  explainTask: "GET /boards/:board/tasks/:id/explain",
  listStuck: "GET /boards/:board/stuck",
  getGraph: "GET /boards/:board/graph",
  getStats: "GET /boards/:board/stats",
  getMetrics: "GET /boards/:board/metrics",
  listAgents: "GET /boards/:board/agents",
  listEvents: "GET /boards/:board/events",
  listAudit: "GET /boards/:board/audit",
  exportAudit: "GET /boards/:board/audit/export",
  listDirectoryAudit: "GET /audit",
  getSnapshot: "GET /boards/:board/snapshot",
  openLive: "GET /boards/:board/live",

  createWebhook: "POST /boards/:board/webhooks",
  listWebhooks: "GET /boards/:board/webhooks",
  changeWebhook: "PATCH /boards/:board/webhooks/:id",
  deleteWebhook: "DELETE /boards/:board/webhooks/:id",
  listDeliveries: "GET /boards/:board/webhooks/:id/deliveries",
  replayDelivery: "POST /boards/:board/webhooks/:id/deliveries/:deliveryId/replay",
} as const satisfies { [N in RouteName]: `${Routes[N]["method"]} ${Routes[N]["path"]}` };
