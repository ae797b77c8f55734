/**
 * Whether a drained board kept its word, told from its log and its tasks alone: each open task done exactly
 * once and after its blockers, never held by two, and a log without a gap. Pure; workers are not asked.
 */
import type { BoardEvent } from "../../src/contract/events.ts";
import type { Task } from "../../src/contract/task.ts";
import { divide, type Plan, readPlan } from "./plan.ts";

export type FinalTask = Pick<Task, "id" | "status">;

export interface Verdict {
  /** One sentence for each broken promise; none: the check held. */
  faults: string[];
  /** Tasks that could be drained, and how many of them are done. */
  expected: number;
  done: number;
  claims: number;
  /** Tasks that a sweep took back from a silent worker. */
  recovered: number;
}

export function checkHistory(events: readonly BoardEvent[], tasks: readonly FinalTask[]): Verdict {
  const plan = readPlan(events);
  const { open } = divide(plan);
  const statuses = new Map(tasks.map((task) => [task.id, task.status]));
  const done = new Set([...open].filter((id) => statuses.get(id) === "done"));
  return {
    faults: [
      ...gaps(events),
      ...[...open]
        .filter((id) => !done.has(id))
        .map((id) => `${nameOf(plan, id)} is ${statuses.get(id) ?? "gone"}, not done`),
      ...miscounts(plan, done, events),
      ...sharedHolds(plan, events),
      ...earlyStarts(plan, events),
    ],
    expected: open.size,
    done: done.size,
    claims: events.filter((event) => event.kind === "task_claimed").length,
    recovered: events.filter((event) => event.kind === "task_released" && event.data["via"] === "sweep")
      .length,
  };
}

function gaps(events: readonly BoardEvent[]): string[] {
  const broken = events.findIndex((event, index) => event.seq !== index + 1);
  return broken < 0 ? [] : [`the log has seq ${events[broken]?.seq} where ${broken + 1} belongs`];
}

/** What cannot be started may become free meanwhile, where it only waits for a time; it is not waited for. */
function miscounts(plan: Plan, done: ReadonlySet<string>, events: readonly BoardEvent[]): string[] {
  const completions = Map.groupBy(events.filter(isSuccess), (event) => event.taskId);
  return [...plan.values()].flatMap(({ id, name, status }) => {
    const times = completions.get(id)?.length ?? 0;
    const least = done.has(id) ? 1 : 0;
    const most = status === "todo" ? 1 : 0;
    if (times < least) return [`${name} is done, though no run completed it`];
    return times > most ? [`${name} was completed ${times} times instead of ${most}`] : [];
  });
}

function sharedHolds(plan: Plan, events: readonly BoardEvent[]): string[] {
  const holders = new Map<string, number>();
  const faults: string[] = [];
  for (const { kind, taskId, epoch, seq } of events) {
    if (taskId === null) continue;
    if (kind === "task_released" || kind === "execution_completed") holders.delete(taskId);
    if (kind !== "task_claimed") continue;
    const holder = holders.get(taskId);
    if (holder !== undefined)
      faults.push(`${nameOf(plan, taskId)} was claimed at seq ${seq} while its claim ${holder} still stood`);
    holders.set(taskId, epoch ?? 0);
  }
  return faults;
}

/** The claim that counts is the one whose run was completed: an earlier one died on the way. */
function earlyStarts(plan: Plan, events: readonly BoardEvent[]): string[] {
  const claims = new Map(
    events
      .filter((event) => event.kind === "task_claimed")
      .map((event) => [`${event.taskId} ${event.epoch}`, event.seq]),
  );
  const completions = new Map(events.filter(isSuccess).map((event) => [event.taskId, event]));
  return [...completions.values()].flatMap((completion) => {
    const { taskId, epoch, seq } = completion;
    const task = plan.get(taskId ?? "");
    if (task === undefined) return [`a task the plan does not know was completed at seq ${seq}`];
    const claimedAt = claims.get(`${taskId} ${epoch}`);
    if (claimedAt === undefined || claimedAt > seq) return [`${task.name} was completed without a claim`];
    return task.dependsOn
      .filter((id) => plan.get(id)?.status !== "done")
      .filter((id) => (completions.get(id)?.seq ?? Number.POSITIVE_INFINITY) > claimedAt)
      .map((id) => `${task.name} was claimed at seq ${claimedAt}, before ${nameOf(plan, id)} was done`);
  });
}

function isSuccess(event: BoardEvent): boolean {
  return event.kind === "execution_completed" && event.data["status"] === "succeeded";
}

function nameOf(plan: Plan, id: string): string {
  return plan.get(id)?.name ?? id;
}
