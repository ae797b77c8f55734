/** Every operation of a board, and how it is run. `board.ts` makes a method of each. */
import type { Result } from "../contract/result.ts";
import { maskLastWord, maskResult } from "../rules/masking.ts";
import type { Context } from "./context.ts";
import { masked } from "./masked.ts";
import { changeBoard, describeBoard } from "./operations/board.ts";
import { cancelDependents } from "./operations/cancel-dependents.ts";
import { changeTask } from "./operations/change-task.ts";
import { claimNext } from "./operations/claim-next.ts";
import { claimTask } from "./operations/claim-task.ts";
import { closeExecution } from "./operations/close-execution.ts";
import { addComment, listComments } from "./operations/comments.ts";
import { completeTask } from "./operations/complete-task.ts";
import { createPlan } from "./operations/create-plan.ts";
import { createTask } from "./operations/create-task.ts";
import { listDeliveries, replayDelivery } from "./operations/deliveries.ts";
import { describeStats } from "./operations/describe-stats.ts";
import { dropTask, restoreTask } from "./operations/drop-task.ts";
import { explainTask } from "./operations/explain-task.ts";
import { getGraph } from "./operations/get-graph.ts";
import { getSnapshot } from "./operations/get-snapshot.ts";
import { getTask } from "./operations/get-task.ts";
import { type Grant, leaseOf } from "./operations/grant.ts";
import { heartbeat, heartbeats } from "./operations/heartbeat.ts";
import { importBoard } from "./operations/import-board.ts";
import { beginImport, commitImport, dropImport, putImportPart } from "./operations/import-parts.ts";
import { importTasks } from "./operations/import-tasks.ts";
import { linkDependency, unlinkDependency } from "./operations/link-dependency.ts";
import { listAgents } from "./operations/list-agents.ts";
import { listAudit } from "./operations/list-audit.ts";
import { listExecutions, listRuns } from "./operations/list-executions.ts";
import { listStuck } from "./operations/list-stuck.ts";
import { listTasks } from "./operations/list-tasks.ts";
import { noteUse } from "./operations/note-use.ts";
import { reconcile } from "./operations/reconcile.ts";
import { listAncestors, listDependents } from "./operations/relatives.ts";
import { releaseTask } from "./operations/release-task.ts";
import { requestChanges } from "./operations/request-changes.ts";
import { startExecution } from "./operations/start-execution.ts";
import { stopTask } from "./operations/stop-task.ts";
import { listTokens, mintToken, revokeToken, whoAmI } from "./operations/tokens.ts";
import { getVerification, setVerification } from "./operations/verification.ts";
import { changeWebhook, createWebhook, deleteWebhook, listWebhooks } from "./operations/webhooks.ts";
import { changeWorkspace, createWorkspace, getWorkspace } from "./operations/workspaces.ts";
import type { GrantedLease } from "./replay.ts";

/** A synchronous function on a context, run in one transaction of its own. */
export type Operation<Input, Value> = (context: Context, input: Input) => Result<Value>;

export interface Running<Input, Value> {
  operation: Operation<Input, Value>;
  /** Changes nothing a caller could notice, so the platform may run it again when its answer was lost. */
  reads: boolean;
  /** Also on an archived board. */
  evenArchived: boolean;
  /** A beat's own row shows its token in use; everything else remembers when it was. */
  touchesToken: boolean;
  /** What a holder says about its lease: heard however much there is to do. */
  ofHolder: boolean;
  /** Brings something new to the board, so it is refused when there is no room; what ends work never is. */
  grows: boolean;
  /** The outbox remembers which webhooks there are. */
  changesWebhooks: boolean;
  /** The leases an answer grants: it is repeated only while one of them runs. */
  leasesOf: (value: Value) => GrantedLease[];
  /** Whether to answer as if, and store nothing. */
  isDryRun: (input: Input) => boolean;
}

const WRITES = {
  reads: false,
  evenArchived: false,
  touchesToken: true,
  ofHolder: false,
  grows: false,
  changesWebhooks: false,
  leasesOf: () => [],
  isDryRun: () => false,
};

export function read<Input, Value>(operation: Operation<Input, Value>): Running<Input, Value> {
  return { ...WRITES, operation, reads: true, evenArchived: true };
}

function write<Input, Value>(
  operation: Operation<Input, Value>,
  how: Partial<Omit<Running<Input, Value>, "operation">> = {},
): Running<Input, Value> {
  return { ...WRITES, ...how, operation };
}

const grantsOne = { leasesOf: (grant: Grant) => [leaseOf(grant)] };
const dryRunIfAsked = { isDryRun: (input: { dryRun: boolean }) => input.dryRun };
const grows = { grows: true };
const ofHolder = { ofHolder: true };

export const OPERATIONS = {
  describeBoard: read(describeBoard),
  changeBoard: write(changeBoard, { evenArchived: true }),

  whoAmI: read(whoAmI),
  mintToken: write(mintToken),
  listTokens: read(listTokens),
  revokeToken: write(revokeToken, { evenArchived: true }),

  createTask: write(createTask, grows),
  createPlan: write(createPlan, { ...dryRunIfAsked, ...grows }),
  importTasks: write(importTasks, { ...dryRunIfAsked, ...grows }),
  importBoard: write(importBoard, { ...dryRunIfAsked, ...grows }),
  beginImport: write(beginImport, grows),
  putImportPart: write(putImportPart, grows),
  commitImport: write(commitImport, { ...dryRunIfAsked, ...grows }),
  dropImport: write(dropImport, { evenArchived: true }),
  listTasks: read(listTasks),
  getTask: read(getTask),
  changeTask: write(changeTask),
  dropTask: write(dropTask),
  restoreTask: write(restoreTask),

  claimTask: write(claimTask, grantsOne),
  claimNext: write(claimNext, { leasesOf: ({ claims }) => claims.map(leaseOf) }),
  startExecution: write(startExecution, grantsOne),
  heartbeat: write(heartbeat, { touchesToken: false, ...ofHolder }),
  heartbeats: write(heartbeats, { touchesToken: false, ...ofHolder }),
  completeTask: write(masked(maskLastWord, completeTask), ofHolder),
  releaseTask: write(masked(maskLastWord, releaseTask), ofHolder),
  closeExecution: write(masked(maskLastWord, closeExecution), ofHolder),
  listExecutions: read(listExecutions),
  listRuns: read(listRuns),

  stopTask: write(stopTask),
  requestChanges: write(requestChanges),
  reconcile: write(reconcile),

  createWorkspace: write(createWorkspace),
  getWorkspace: read(getWorkspace),
  changeWorkspace: write(changeWorkspace),

  linkDependency: write(linkDependency),
  unlinkDependency: write(unlinkDependency),
  listDependents: read(listDependents),
  listAncestors: read(listAncestors),
  cancelDependents: write(cancelDependents),

  explainTask: read(explainTask),
  listStuck: read(listStuck),
  getGraph: read(getGraph),
  getSnapshot: read(getSnapshot),

  addComment: write(addComment, grows),
  listComments: read(listComments),
  setVerification: write(masked(maskResult, setVerification)),
  getVerification: read(getVerification),
  listAudit: read(listAudit),
  noteUse: write(noteUse, { evenArchived: true }),

  createWebhook: write(createWebhook, { changesWebhooks: true, ...grows }),
  listWebhooks: read(listWebhooks),
  changeWebhook: write(changeWebhook, { changesWebhooks: true }),
  deleteWebhook: write(deleteWebhook, { changesWebhooks: true, evenArchived: true }),
  listDeliveries: read(listDeliveries),
  replayDelivery: write(replayDelivery),

  describeStats: read(describeStats),
  listAgents: read(listAgents),
};

export type Operations = typeof OPERATIONS;
