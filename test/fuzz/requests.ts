/** A request that is right in form: its body, query and path made from what the interface says of a call. */
import { ROLES } from "../../src/contract/roles.ts";
import { jsonOf } from "./hostile.ts";
import type { Interface, Operation } from "./interface.ts";
import type { Random } from "./random.ts";
import { CALLERS, type CallerName, type Hold, type Scene } from "./scene.ts";
import { type Shaping, shapeOf } from "./shapes.ts";
import { sourceText } from "./sources.ts";
import type { Json, Sent } from "./wire.ts";

/** A request before it is written down, so that it can be spoilt first. */
export interface Draft {
  operation: Operation;
  caller: CallerName;
  method: string;
  /** Encoded already, by name. */
  params: Record<string, string>;
  query: [name: string, value: string][];
  headers: Record<string, string>;
  /** JSON to be written; undefined: none. */
  json: Json;
  /** In its place. */
  bytes: Buffer | null;
  chunked: boolean;
  /** It was made wrong, in whatever way. */
  spoilt: boolean;
}

export function draft(random: Random, api: Interface, scene: Scene, operation: Operation): Draft {
  const hold = holdFor(random, scene, operation);
  const spare = operation.id === "deleteBoard" ? scene.spare.shift() : undefined;
  const shaping = {
    random,
    api,
    hint: (name: string) => hintOf(random, scene, operation, hold, spare, name),
  };
  const caller = hold?.caller ?? callerFor(random, operation);
  const params = paramsOf(random, scene, operation, hold);
  if (spare !== undefined) params["board"] = spare;
  const query = queryOf(shaping, operation);
  const headers: Record<string, string> = {};
  const token = scene.tokens[caller];
  if (token !== null) headers["authorization"] = `Bearer ${token}`;
  if (operation.headers.includes("idempotency-key") && random.chance(0.25))
    headers["idempotency-key"] = `key-${random.int(1, 12)}`;
  if (operation.headers.includes("if-match") && random.chance(0.3))
    headers[random.pick(["if-match", "if-match-seq"])] = random.pick(['"1"', '"2"', "3", "*"]);
  const made: Draft = {
    ...{ operation, caller, method: operation.method, params, query, headers },
    ...{ json: undefined, bytes: null, chunked: random.chance(0.05), spoilt: false },
  };
  const [type] = Object.keys(operation.body);
  if (type === undefined) return made;
  headers["content-type"] = type;
  if (type === "application/json") made.json = shapeOf(shaping, operation.body[type]);
  else made.bytes = Buffer.from(sourceText(random, scene, query.find(([name]) => name === "format")?.[1]));
  return made;
}

/** As it goes out. */
export function write(scene: Scene, { operation, method, params, query, headers, ...rest }: Draft): Sent {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => params[name] ?? "");
  const asked = query.map(([name, value]) => `${name}=${value}`).join("&");
  const { json, bytes, chunked } = rest;
  return {
    method,
    target: asked === "" ? path : `${path}?${asked}`,
    headers: { host: new URL(scene.url).host, ...headers },
    body: bytes ?? (json === undefined ? null : Buffer.from(jsonOf(json))),
    chunked,
  };
}

/** Mostly somebody who may ask for it, so that not all ends at the door. */
function callerFor(random: Random, { role }: Operation): CallerName {
  const may = role === null ? CALLERS : ROLES.slice(ROLES.indexOf(role));
  return random.chance(0.65) ? random.pick(may) : random.pick(CALLERS);
}

/** Where a call takes a lease, mostly one that was granted. */
function holdFor(random: Random, { holds }: Scene, { id, body }: Operation): Hold | undefined {
  const takesLease = JSON.stringify(body).match(
    /Heartbeat|Complete|Release|Close|Workspace|Verification|Change/,
  );
  if (takesLease === null || /board|webhook/i.test(id) || holds.length === 0) return undefined;
  return random.chance(0.6) ? random.pick(holds) : undefined;
}

function paramsOf(random: Random, scene: Scene, { path, params }: Operation, hold?: Hold) {
  const pick = (ids: readonly string[]) => (ids.length === 0 ? "none" : random.pick(ids));
  const task = () => (random.chance(0.2) ? `n${random.int(1, 8)}` : (hold?.taskId ?? pick(scene.tasks)));
  const byFolder: Record<string, () => string> = {
    boards: () => scene.board,
    tasks: task,
    dependencies: task,
    executions: () => hold?.executionId ?? pick(scene.executions),
    tokens: () => pick(scene.tokenIds),
    webhooks: () => pick(scene.webhooks),
    deliveries: () => String(random.int(1, 60)),
    imports: () => pick(scene.imports),
    parts: () => String(random.int(1, 3)),
  };
  const folderOf = (name: string) => new RegExp(`/([a-z]+)/\\{${name}\\}`).exec(path)?.[1] ?? "";
  return Object.fromEntries(params.map((name) => [name, byFolder[folderOf(name)]?.() ?? "none"]));
}

function queryOf(shaping: Shaping, operation: Operation): [string, string][] {
  const given = operation.query.filter(({ required }) => required || shaping.random.chance(0.3));
  return given.flatMap(({ name, schema }) => {
    const value = shapeOf(shaping, schema, name);
    return [value].flat().map((each): [string, string] => [name, encodeURIComponent(String(each))]);
  });
}

/** What a name stands for on this board. */
function hintOf(
  random: Random,
  scene: Scene,
  operation: Operation,
  hold: Hold | undefined,
  spare: string | undefined,
  name: string,
): Json {
  const some = (values: readonly Json[]) => (values.length === 0 ? undefined : random.pick(values));
  switch (name) {
    case "leaseToken":
      return hold?.token ?? some(scene.holds)?.token;
    case "taskId":
    case "dependsOnTaskId":
    case "around":
    case "dependsOn":
      return hold?.taskId ?? some(scene.tasks);
    case "parentTaskId":
      return random.chance(0.3) ? some(scene.tasks) : undefined;
    case "cursor":
      return some(scene.cursors);
    case "ref":
      return `r${random.word()}`;
    case "externalRef":
      return some([`ref-${random.int(1, 30)}`, `open ${scene.canary}`]);
    case "q":
      return some([scene.canary, "fuzz", "parser", "x"]);
    case "labels":
      return some([[], ["fuzz"], ["fuzz", "a"]]);
    case "requiredCapabilities":
    case "assigneeRuntime":
      return some([undefined, ["gpu"]]);
    case "epoch":
      return random.int(1, 2);
    // Nobody waits long here.
    case "waitMs":
      return operation.method === "GET" ? some(["0", "1", "20"]) : some([0, 1, 20]);
    // A name that leads nowhere: nothing may leave this machine.
    case "url":
      return `https://${random.word()}.invalid/hook`;
    case "confirm":
      return spare ?? "none";
    case "token":
      return some(Object.values(scene.tokens).filter((token) => token !== null));
    case "settings":
      return some([{ maxAttempts: 5 }, { readyOrder: "fifo" }, { budgetUsd: 100 }, { beatEveryMs: 999_999 }]);
    default:
      return undefined;
  }
}
