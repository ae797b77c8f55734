/** One board: its tasks, its claims, and everything else a token may do with it. */
import type { RouteName } from "./addresses.ts";
import { Archives } from "./archives.ts";
import type { Answer, Body, CallOptions, Input, Query } from "./calls.ts";
import type { Edgeboard } from "./edgeboard.ts";
import { type Grant, Lease } from "./lease.ts";
import { type FollowEnd, type FollowOptions, follow } from "./live.ts";
import { Tasks } from "./tasks.ts";

type Granted = Answer<"claimTask">;

/** A task that is now ours, and what its last holder and its blockers left for us. */
export type Claim = Omit<Granted, "lease"> & { lease: Lease };

export type Claims = Omit<Answer<"claimNext">, "claims"> & { claims: Claim[] };

export class Board {
  readonly server: Edgeboard;
  readonly tasks: Tasks;
  readonly archives: Archives;
  #id: string | undefined;

  constructor(server: Edgeboard, id?: string) {
    this.server = server;
    this.#id = id;
    this.tasks = new Tasks(this);
    this.archives = new Archives(this);
  }

  /** Its id; where none was given, the server is asked once whose board the token is for. */
  async id(options: CallOptions = {}): Promise<string> {
    if (this.#id !== undefined) return this.#id;
    const { board } = await this.server.me(options);
    if (board === null) throw new TypeError("this token is good for every board: name one");
    this.#id = board;
    return board;
  }

  /** Any route below this board, by its name. */
  async call<N extends RouteName>(
    name: N,
    input: Input<N, "board">,
    options: CallOptions = {},
  ): Promise<Answer<N>> {
    const given = input as { params?: Record<string, string> };
    const params = { ...given.params, board: await this.id({ signal: options.signal }) };
    return this.server.call(name, { ...given, params } as unknown as Input<N>, options);
  }

  /** The next ready task this token may have; null when there is none (after `waitMs`, if asked to wait). */
  async claimNext(
    wanted: Omit<Body<"claimNext">, "limit"> = {},
    options: CallOptions = {},
  ): Promise<Claim | null> {
    const { claims } = await this.claimMany({ ...wanted, limit: 1 }, options);
    return claims[0] ?? null;
  }

  /** Up to `limit` of them, and what the board says where it has none. */
  async claimMany(body: Body<"claimNext"> = {}, options: CallOptions = {}): Promise<Claims> {
    const sentAt = this.server.clock.now();
    const answer = await this.call("claimNext", { body }, options);
    return { ...answer, claims: answer.claims.map((granted) => this.#claim(granted, sentAt)) };
  }

  /** This very task. Of several callers one gets it; the others are refused, for good. */
  async claim(taskId: string, body: Body<"claimTask"> = {}, options: CallOptions = {}): Promise<Claim> {
    const sentAt = this.server.clock.now();
    return this.#claim(await this.call("claimTask", { params: { id: taskId }, body }, options), sentAt);
  }

  /** A lease for a task that one holds without. */
  async startExecution(
    taskId: string,
    body: Body<"startExecution"> = {},
    options: CallOptions = {},
  ): Promise<Claim> {
    const sentAt = this.server.clock.now();
    return this.#claim(await this.call("startExecution", { params: { id: taskId }, body }, options), sentAt);
  }

  /** A lease that was granted earlier, or to another process: `lease.grant` is all there is to keep of it. */
  lease(grant: Grant): Lease {
    return new Lease(this, grant, this.server.clock.now());
  }

  #claim(granted: Granted, sentAt: number): Claim {
    const { expiresAt: _expiresAt, ...lease } = granted.lease;
    return { ...granted, lease: new Lease(this, { taskId: granted.task.id, ...lease }, sentAt) };
  }

  get(options?: CallOptions) {
    return this.call("getBoard", {}, options);
  }

  change(body: Body<"changeBoard">, options?: CallOptions) {
    return this.call("changeBoard", { body }, options);
  }

  /** For good. `confirm` is the board's id, once more. */
  delete(confirm: string, options?: CallOptions) {
    return this.call("deleteBoard", { query: { confirm } }, options);
  }

  createPlan(body: Body<"createPlan">, options?: CallOptions) {
    return this.call("createPlan", { body }, options);
  }

  /** Many beats in one request; a lease keeper does this by itself for its own. */
  heartbeats(leases: Body<"heartbeats">["leases"], options?: CallOptions) {
    return this.call("heartbeats", { body: { leases } }, options);
  }

  mintToken(body: Body<"mintToken">, options?: CallOptions) {
    return this.call("mintToken", { body }, options);
  }

  listTokens(query: Query<"listTokens"> = {}, options?: CallOptions) {
    return this.call("listTokens", { query }, options);
  }

  revokeToken(id: string, options?: CallOptions) {
    return this.call("revokeToken", { params: { id } }, options);
  }

  snapshot(query: Query<"getSnapshot"> = {}, options?: CallOptions) {
    return this.call("getSnapshot", { query }, options);
  }

  graph(query: Query<"getGraph"> = {}, options?: CallOptions) {
    return this.call("getGraph", { query }, options);
  }

  stuck(query: Query<"listStuck"> = {}, options?: CallOptions) {
    return this.call("listStuck", { query }, options);
  }

  stats(query: Query<"getStats"> = {}, options?: CallOptions) {
    return this.call("getStats", { query }, options);
  }

  /** In the text format of Prometheus. */
  metrics(options?: CallOptions) {
    return this.call("getMetrics", {}, options);
  }

  agents(query: Query<"listAgents"> = {}, options?: CallOptions) {
    return this.call("listAgents", { query }, options);
  }

  /** The log itself; `follow` tells it as it grows. */
  events(query: Query<"listEvents"> = {}, options?: CallOptions) {
    return this.call("listEvents", { query }, options);
  }

  audit(query: Query<"listAudit"> = {}, options?: CallOptions) {
    return this.call("listAudit", { query }, options);
  }

  /** All of the audit, oldest first, as lines of JSON. It is whole when its last line is the end. */
  exportAudit(options?: CallOptions) {
    return this.call("exportAudit", {}, options);
  }

  listWebhooks(options?: CallOptions) {
    return this.call("listWebhooks", {}, options);
  }

  /** Its secret is told once. */
  createWebhook(body: Body<"createWebhook">, options?: CallOptions) {
    return this.call("createWebhook", { body }, options);
  }

  changeWebhook(id: string, body: Body<"changeWebhook">, options?: CallOptions) {
    return this.call("changeWebhook", { params: { id }, body }, options);
  }

  deleteWebhook(id: string, options?: CallOptions) {
    return this.call("deleteWebhook", { params: { id } }, options);
  }

  /** All runs, newest first; those of one task are `tasks.executions`. */
  runs(query: Query<"listRuns"> = {}, options?: CallOptions) {
    return this.call("listRuns", { query }, options);
  }

  closeExecution(id: string, body: Body<"closeExecution">, options?: CallOptions) {
    return this.call("closeExecution", { params: { id }, body }, options);
  }

  reconcile(body: Body<"reconcile">, options?: CallOptions) {
    return this.call("reconcile", { body }, options);
  }

  /** A source that fits into one body (8 MB); `beginImport` is for larger ones. */
  import(source: string, query: Query<"importTasks">, options?: CallOptions) {
    return this.call("importTasks", { query, body: source }, options);
  }

  beginImport(body: Body<"beginImport">, options?: CallOptions) {
    return this.call("beginImport", { body }, options);
  }

  /** Part `n`, from 1, in any order. */
  putImportPart(id: string, n: number, part: string, options?: CallOptions) {
    return this.call("putImportPart", { params: { id, n: String(n) }, body: part }, options);
  }

  commitImport(id: string, body: Body<"commitImport"> = {}, options?: CallOptions) {
    return this.call("commitImport", { params: { id }, body }, options);
  }

  dropImport(id: string, options?: CallOptions) {
    return this.call("dropImport", { params: { id } }, options);
  }

  /** Lines of JSON as they come. It is whole when its last line is the end. */
  export(options?: CallOptions) {
    return this.call("exportBoard", {}, options);
  }

  /** Every change once and in order, until the signal is aborted. */
  async follow(options: Omit<FollowOptions, "url" | "board" | "token" | "fetch">): Promise<FollowEnd> {
    const { token, fetch } = this.server.options;
    return follow({
      url: this.server.url,
      board: await this.id({ signal: options.signal }),
      ...(token === undefined ? {} : { token }),
      ...(fetch === undefined ? {} : { fetch }),
      ...options,
    });
  }
}
