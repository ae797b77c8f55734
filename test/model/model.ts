/**
 * The board as a few hundred lines of plain TypeScript: what each command answers and what it leaves, written
 * from the promises and sharing nothing with `src`. It has no storage, no counters and no indexes to go wrong.
 */
export type Status = "backlog" | "todo" | "in_progress" | "in_review" | "blocked" | "done" | "cancelled";
export type OnCancel = "hold" | "satisfy" | "cascade";

const MOVES: Record<Status, string> = {
  backlog: "todo blocked cancelled",
  todo: "in_progress blocked backlog cancelled",
  in_progress: "in_review done blocked todo cancelled",
  in_review: "done in_progress blocked cancelled",
  blocked: "todo in_progress backlog cancelled",
  done: "",
  cancelled: "",
};

export interface ModelTask {
  number: number;
  priority: number;
  status: Status;
  dropped: boolean;
  holder: string | null;
  epoch: number;
  /** The running execution, which is the lease. */
  running: { epoch: number; agent: string; lastBeat: number } | null;
  streak: number;
  updatedAt: number;
  waitsFor: Map<number, OnCancel>;
  /** How each ended run ended; `word` is what its holder completed it with. */
  ended: Map<number, { status: string; word?: string }>;
}

export interface Lease {
  task: number;
  epoch: number;
  agent: string;
}

/** `ok`, or the code of the refusal. */
export type Answer = string;

export class Model {
  readonly tasks: ModelTask[] = [];
  now: number;
  readonly ttl: number;
  readonly maxAttempts: number;

  constructor(settings: { now: number; ttl: number; maxAttempts: number }) {
    this.now = settings.now;
    this.ttl = settings.ttl;
    this.maxAttempts = settings.maxAttempts;
  }

  create(priority: number, waitsFor: number[]): Answer {
    this.tasks.push({
      number: this.tasks.length + 1,
      priority,
      status: "todo",
      dropped: false,
      holder: null,
      epoch: 0,
      running: null,
      streak: 0,
      updatedAt: this.now,
      waitsFor: new Map(waitsFor.map((number) => [number, "hold"])),
      ended: new Map(),
    });
    return "ok";
  }

  claim(number: number, agent: string): Answer {
    const task = this.task(number);
    if (task.dropped) return "task_not_found";
    if (task.status !== "todo" || task.holder !== null) return this.over(task) ? "terminal" : "conflict";
    if (this.open(task).length > 0) return "not_ready";
    task.epoch++;
    task.status = "in_progress";
    task.holder = agent;
    task.running = { epoch: task.epoch, agent, lastBeat: this.now };
    task.updatedAt = this.now;
    return "ok";
  }

  /** The ready tasks in the order they are handed out. */
  queue(): ModelTask[] {
    return this.tasks
      .filter((task) => this.ready(task))
      .sort((a, b) => b.priority - a.priority || b.updatedAt - a.updatedAt || a.number - b.number);
  }

  beat(lease: Lease): Answer {
    const task = this.task(lease.task);
    if (task.running?.epoch !== lease.epoch) return "lease_lost";
    task.running.lastBeat = this.now;
    return "ok";
  }

  finish(lease: Lease, outcome: "succeeded" | "failed", asked: Status): Answer {
    const task = this.task(lease.task);
    if (task.dropped) return "task_not_found";
    const word = `${outcome} ${asked}`;
    const before = task.ended.get(lease.epoch);
    if (before?.word !== undefined) return before.word === word ? "ok" : "already_closed";
    if (task.running?.epoch !== lease.epoch) return "lease_lost";
    if (task.status === "in_review" && asked === "done") return "self_review";
    if (!this.may(task.status, asked)) return "illegal_transition";
    if (asked === "done" && this.open(task).length > 0) return "not_ready";
    let to = asked;
    if (outcome === "failed") {
      task.streak++;
      if (asked === "todo" && this.spent(task)) to = "blocked";
    } else task.streak = 0;
    this.end(task, outcome, word);
    this.move(task, to);
    task.updatedAt = this.now;
    return "ok";
  }

  release(lease: Lease): Answer {
    const task = this.task(lease.task);
    if (task.dropped) return "task_not_found";
    if (task.ended.get(lease.epoch)?.status === "released" && task.epoch === lease.epoch) return "ok";
    if (task.running?.epoch !== lease.epoch) return "lease_lost";
    this.end(task, "released");
    if (task.status === "in_progress") this.move(task, "todo");
    task.updatedAt = this.now;
    return "ok";
  }

  /** A holder's own PATCH to in_review, which keeps the lease. */
  handIn(lease: Lease): Answer {
    const task = this.task(lease.task);
    if (task.dropped) return "task_not_found";
    if (task.status === "in_review") return "ok";
    if (task.running?.epoch !== lease.epoch) return "lease_lost";
    if (!this.may(task.status, "in_review")) return "illegal_transition";
    task.status = "in_review";
    task.updatedAt = this.now;
    return "ok";
  }

  /** A lead's move, displacing whoever holds the task. */
  moveByLead(number: number, to: Status, override: boolean): Answer {
    const task = this.task(number);
    if (task.dropped) return "task_not_found";
    if (task.status === to) return "ok";
    if (!this.may(task.status, to)) return "illegal_transition";
    const waits = this.open(task).length > 0 && (to === "done" || to === "in_progress");
    if (waits && !override) return "not_ready";
    if (task.running !== null) this.end(task, "cancelled");
    if (task.status === "blocked" && to === "todo") task.streak = 0;
    this.move(task, to);
    if (to === "in_progress") task.holder = "lead";
    task.updatedAt = this.now;
    return "ok";
  }

  link(number: number, blocker: number, onCancel: OnCancel): Answer {
    const task = this.task(number);
    if (task.dropped) return "task_not_found";
    if (task.waitsFor.has(blocker)) return "ok";
    if (this.over(task)) return "terminal";
    if (number === blocker || this.upstream(blocker).has(number)) return "task_dependency_cycle";
    task.waitsFor.set(blocker, onCancel);
    return "ok";
  }

  unlink(number: number, blocker: number): Answer {
    const task = this.task(number);
    if (task.dropped) return "task_not_found";
    task.waitsFor.delete(blocker);
    return "ok";
  }

  drop(number: number): Answer {
    const task = this.task(number);
    if (task.dropped) return "ok";
    if (task.running !== null) this.end(task, "cancelled");
    if (task.status === "in_progress" || task.status === "in_review") this.move(task, "todo");
    task.dropped = true;
    task.updatedAt = this.now;
    return "ok";
  }

  restore(number: number): Answer {
    const task = this.task(number);
    if (task.dropped) task.updatedAt = this.now;
    task.dropped = false;
    return "ok";
  }

  sweep(): void {
    for (const task of this.tasks) {
      if (task.running === null || this.now - task.running.lastBeat < this.ttl) continue;
      this.end(task, "timed_out");
      task.streak++;
      if (task.status !== "in_progress") continue;
      this.move(task, this.spent(task) ? "blocked" : "todo");
      task.holder = null;
    }
  }

  ready(task: ModelTask): boolean {
    return task.status === "todo" && !task.dropped && task.holder === null && this.open(task).length === 0;
  }

  /** The blockers that still hold it. */
  open(task: ModelTask): number[] {
    return [...task.waitsFor]
      .filter(([number, onCancel]) => {
        const { status } = this.task(number);
        return status !== "done" && !(status === "cancelled" && onCancel === "satisfy");
      })
      .map(([number]) => number);
  }

  task(number: number): ModelTask {
    const task = this.tasks[number - 1];
    if (task === undefined) throw new Error(`the model has no task ${number}`);
    return task;
  }

  private may(from: Status, to: Status): boolean {
    return from === to || MOVES[from].split(" ").includes(to);
  }

  private over(task: ModelTask): boolean {
    return MOVES[task.status] === "";
  }

  private spent(task: ModelTask): boolean {
    return this.maxAttempts > 0 && task.streak >= this.maxAttempts;
  }

  private end(task: ModelTask, status: string, word?: string): void {
    task.ended.set(task.running?.epoch ?? 0, word === undefined ? { status } : { status, word });
    task.running = null;
  }

  private move(task: ModelTask, to: Status): void {
    task.status = to;
    if (to === "todo") task.holder = null;
    if (to !== "cancelled") return;
    for (const dependent of this.tasks)
      if (dependent.waitsFor.get(task.number) === "cascade" && !dependent.dropped)
        if (dependent.status === "todo" || dependent.status === "backlog") this.move(dependent, "cancelled");
  }

  private upstream(number: number): Set<number> {
    const seen = new Set<number>();
    const pending = [number];
    for (let next = pending.pop(); next !== undefined; next = pending.pop())
      for (const blocker of this.task(next).waitsFor.keys())
        if (!seen.has(blocker)) {
          seen.add(blocker);
          pending.push(blocker);
        }
    return seen;
  }
}
