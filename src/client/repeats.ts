/**
 * What may be sent again when nobody knows whether it arrived: after a broken connection, or a 503. Reading may, and
 * what carries an idempotency key. For everything else the answer is here, with its reason. (After a 429 anything
 * may: that request never reached the board.)
 */
import { ADDRESSES, type RouteName, type Routes } from "./addresses.ts";
import type { Body } from "./calls.ts";

/** `key`: as often as needed, under one key. `same`: a second time changes nothing more. `once`: never. */
type Repeat = "key" | "same" | "once";

type Changing = { [N in RouteName]: Routes[N]["method"] extends "GET" ? never : N }[RouteName];

/** The compiler holds `key` to the routes that take one; a function looks at what is said. */
type Repeats = {
  [N in Changing]: Routes[N] extends { keyed: true }
    ? "key"
    : Exclude<Repeat, "key"> | ((body: Body<N>) => Exclude<Repeat, "key">);
};

const REPEATS: Repeats = {
  createBoard: "key",
  mintToken: "key",
  createTask: "key",
  createPlan: "key",
  addComment: "key",
  claimTask: "key",
  claimNext: "key",
  startExecution: "key",
  createWorkspace: "key",
  importTasks: "key",
  createWebhook: "key",

  // The board remembers the last word of a run and gives the same answer to the same word.
  completeTask: "same",
  releaseTask: "same",
  closeExecution: "same",
  // A beat says "still alive" as often as it likes. What it reports as used is added up.
  heartbeat: ({ usage }) => (usage === undefined ? "same" : "once"),
  heartbeats: ({ leases }) => (leases.some(({ usage }) => usage !== undefined) ? "once" : "same"),

  // A move to where the task already is changes nothing. Content is written again, as a new version; and a reason
  // counts as content then, for which the lease of a task that has moved is no longer good.
  changeTask: (body) => (Object.keys(body).every((field) => MOVE.includes(field)) ? "same" : "once"),
  // These put one value in the place of another.
  changeBoard: "same",
  changeWebhook: "same",
  setVerification: "same",
  changeWorkspace: "same",
  stopTask: "same",
  putImportPart: "same",
  // These are done already the second time.
  dropTask: "same",
  restoreTask: "same",
  linkDependency: "same",
  unlinkDependency: "same",
  revokeToken: "same",
  cancelDependents: "same",
  reconcile: "same",
  commitImport: "same",
  closeSession: "same",
  // What is there already is not brought in a second time.
  restoreArchive: "same",
  // What is left over of a first one is forgotten: a link within a minute, an import within a day.
  linkSession: "same",
  beginImport: "same",

  // The second time there is nothing left, and it would be told so; or worse, the successor of the same name.
  deleteBoard: "once",
  dropImport: "once",
  deleteArchive: "once",
  deleteWebhook: "once",
  // It may have been delivered meanwhile: a receiver would hear of it once more.
  replayDelivery: "once",
  // There would be two of it, each of the whole board.
  createArchive: "once",
  // A second time it would ask for changes of what has been changed, or be refused for its own success.
  requestChanges: "once",
  // A code is good once.
  openSession: ({ code }) => (code === undefined ? "same" : "once"),
};

const MOVE: readonly string[] = ["status", "leaseToken", "humanOverride", "overrideReason", "displace"];

/** `conditional`: after a first success the condition no longer holds, and the repeat would be refused for it. */
export function repeatOf(name: RouteName, body: unknown, conditional: boolean): Repeat {
  if (ADDRESSES[name].startsWith("GET ")) return "same";
  if (conditional) return "once";
  const repeat = REPEATS[name as Changing];
  return typeof repeat === "function" ? (repeat as (body: unknown) => Repeat)(body) : repeat;
}
