/** Whether a board that was killed kept its word: every write as often as it has to be there, and log and tables alike. Pure. */
import type { BoardEvent } from "../../src/contract/events.ts";
import { replayLog } from "../model/replay-log.ts";
import type { Tables } from "./read-board.ts";
import { type Found, type Traces, tracesInLog, tracesInTables, type Write } from "./writes.ts";

/** A lease as its holder last knew it to be good: the board has to remember this beat. */
export interface Proof {
  taskId: string;
  epoch: number;
  beatAt: number;
}

export interface Outage {
  from: number;
  to: number;
}

export function checkWrites(writes: readonly Write[], log: readonly BoardEvent[], tables: Tables): string[] {
  const logged = tracesInLog(log);
  const stored = tracesInTables(tables);
  return writes.flatMap((write) => [
    ...faultsOf(write, logged, "log"),
    ...(write.verb === "edit" ? [] : faultsOf(write, stored, "tables")),
  ]);
}

function faultsOf(write: Write, traces: Traces, where: string): string[] {
  const { verb, mark, state } = write;
  const found = traces.get(mark) ?? [];
  const least = state === "done" ? 1 : 0;
  const most = state === "refused" ? 0 : 1;
  if (found.length < least) return [`the ${verb} "${mark}" was acknowledged and is not in the ${where}`];
  if (found.length > most)
    return [`the ${verb} "${mark}" (${state}) is ${found.length} times in the ${where}`];
  return found
    .filter((one) => !isWhere(write, one))
    .map((one) => `the ${verb} "${mark}" is at ${one.taskId} in the ${where}, not where its answer said`);
}

function isWhere({ taskId, epoch }: Write, found: Found): boolean {
  if (taskId !== undefined && taskId !== found.taskId) return false;
  return epoch === undefined || found.epoch === undefined || epoch === found.epoch;
}

/** `seq` without a gap, and each task in the tables as the log alone rebuilds it. */
export function checkLog(log: readonly BoardEvent[], tables: Tables): string[] {
  const gap = log.findIndex(({ seq }, index) => seq !== index + 1);
  const rebuilt = replayLog(
    log.map(({ kind, taskId, actor, epoch, data }) => ({
      kind,
      taskId,
      actorId: actor.id,
      epoch: epoch ?? null,
      data,
    })),
  );
  const edits = Map.groupBy(
    log.filter(({ kind }) => kind === "task_edited"),
    ({ taskId }) => taskId,
  );
  const waits = Map.groupBy(tables.edges, ({ taskId }) => taskId);
  const differing = tables.tasks.flatMap((task) => {
    const told = JSON.stringify({ ...rebuilt.get(task.id), edits: edits.get(task.id)?.length ?? 0 });
    const stored = JSON.stringify({
      status: task.status,
      dropped: task.dropped,
      priority: task.priority,
      holder: task.assigneeAgentId,
      epoch: task.epoch,
      streak: task.attemptStreak,
      waitsFor: (waits.get(task.id) ?? []).map(({ dependsOnTaskId }) => dependsOnTaskId).sort(),
      edits: task.version - 1,
    });
    return told === stored ? [] : [`n${task.number} is ${stored}, and by the log ${told}`];
  });
  return [
    ...(gap < 0 ? [] : [`the log has seq ${log[gap]?.seq} where ${gap + 1} belongs`]),
    ...(log.length === tables.seq ? [] : [`the log ends at ${log.length}, and the board says ${tables.seq}`]),
    ...(rebuilt.size === tables.tasks.length
      ? []
      : [`the log tells of ${rebuilt.size} tasks, and there are ${tables.tasks.length}`]),
    ...differing,
  ];
}

/** A beat that was acknowledged is remembered. */
export function checkProofs(proofs: readonly Proof[], { runs }: Tables): string[] {
  const byLease = new Map(runs.map((run) => [`${run.taskId} ${run.epoch}`, run]));
  return proofs.flatMap(({ taskId, epoch, beatAt }) => {
    const run = byLease.get(`${taskId} ${epoch}`);
    if (run !== undefined && run.lastBeatAt >= beatAt) return [];
    return [`run ${epoch} of ${taskId} has forgotten its beat at ${beatAt} (it knows ${run?.lastBeatAt})`];
  });
}

export interface RecoveryBounds {
  leaseTtlMs: number;
  /** Beyond the TTL, while the runtime is up. */
  withinMs: number;
  outages: readonly Outage[];
  readAt: number;
}

/** How late each silent lease was taken back, beyond its TTL and what the runtime was down meanwhile. */
export function lateness(
  { runs }: Tables,
  { leaseTtlMs, outages, readAt }: Omit<RecoveryBounds, "withinMs">,
): number[] {
  return runs
    .filter(({ status }) => status === "timed_out" || status === "running")
    .map(({ lastBeatAt, endedAt }) => {
      const due = lastBeatAt + leaseTtlMs;
      const until = endedAt ?? readAt;
      const down = outages.map(({ from, to }) => Math.max(0, Math.min(to, until) - Math.max(from, due)));
      return until - due - down.reduce((sum, ms) => sum + ms, 0);
    });
}

export function checkRecovery(tables: Tables, bounds: RecoveryBounds): string[] {
  return lateness(tables, bounds)
    .filter((ms) => ms > bounds.withinMs)
    .map((ms) => `a silent lease was not taken back within ${bounds.withinMs} ms, but after ${ms}`);
}
