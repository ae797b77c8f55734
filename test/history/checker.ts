/**
 * Whether a history can have come from a board that keeps its promises. It goes by what clients asked and heard, by
 * when, and by what is on the board in the end; it knows nothing of how a board works. Pure.
 */
import type { Tables } from "../crash/read-board.ts";
import type { Operation } from "./operations.ts";

/** The board as it stood when everything was over. */
export interface Final {
  tasks: Pick<Tables["tasks"][number], "id" | "title" | "status" | "epoch">[];
  runs: Pick<Tables["runs"][number], "taskId" | "epoch" | "agentId" | "status" | "runtime" | "summary">[];
}

type Check = (history: History) => string[];

interface History {
  operations: readonly Operation[];
  /** Those that were acknowledged. */
  ok: readonly Operation[];
  final: Final;
}

export const RULES = {
  "a lease has one holder": oneHolder,
  "epochs grow": growingEpochs,
  "an attempt has one end, a task one success": oneEnd,
  "what was acknowledged is there": nothingLost,
  "nothing is done twice, or after it was refused": nothingTwice,
  "what waits is not offered": noEarlyOffer,
} satisfies Record<string, Check>;

export type Rule = keyof typeof RULES;

export interface Fault {
  rule: Rule;
  what: string;
}

export function checkOperations(operations: readonly Operation[], final: Final): Fault[] {
  const ok = operations.filter(({ outcome }) => outcome === "ok");
  return (Object.entries(RULES) as [Rule, Check][]).flatMap(([rule, check]) =>
    check({ operations, ok, final }).map((what) => ({ rule, what })),
  );
}

const leaseOf = ({ taskId, epoch }: { taskId?: string; epoch?: number }) => `${taskId} @${epoch}`;
const claimsOf = ({ ok }: History) => ok.filter(({ call }) => call === "claim");

/** Granted once, good only for whom it was granted to, and for nothing from the next grant on. */
function oneHolder(history: History): string[] {
  const claims = claimsOf(history);
  const holders = Map.groupBy(claims, leaseOf);
  const byTask = Map.groupBy(claims, ({ taskId }) => taskId);
  const shared = [...holders]
    .filter(([, grants]) => grants.length > 1)
    .map(([lease, grants]) => `${lease} was granted to ${grants.map(({ client }) => client).join(" and ")}`);
  const writes = history.ok.filter(
    ({ call }) => call === "beat" || call === "complete" || call === "release",
  );
  const strange = writes.flatMap((write) => {
    const holder = holders.get(leaseOf(write))?.[0];
    if (holder === undefined || holder.client === write.client) return [];
    return [`${write.client} was let ${write.call} ${leaseOf(write)}, which ${holder.client} holds`];
  });
  // The same end said once more is answered as it was the first time, and ends nothing.
  const again = (write: Operation) =>
    write.call === "complete" &&
    history.operations.some(
      (first) =>
        first.call === "complete" &&
        first.outcome !== "fail" &&
        leaseOf(first) === leaseOf(write) &&
        first.word === write.word &&
        first.from < write.from,
    );
  const undead = writes
    .filter((write) => !again(write))
    .flatMap((write) =>
      (byTask.get(write.taskId) ?? [])
        .filter((later) => (later.epoch ?? 0) > (write.epoch ?? 0) && later.to < write.from)
        .map(
          (later) => `a ${write.call} of ${leaseOf(write)} was accepted after ${leaseOf(later)} was granted`,
        ),
    );
  return [...shared, ...strange, ...undead];
}

function growingEpochs(history: History): string[] {
  const epochs = new Map(history.final.tasks.map(({ id, epoch }) => [id, epoch]));
  return [...Map.groupBy(claimsOf(history), ({ taskId }) => taskId)].flatMap(([taskId, claims]) => [
    ...claims.flatMap((earlier) =>
      claims
        .filter((later) => earlier.to < later.from && (earlier.epoch ?? 0) >= (later.epoch ?? 0))
        .map((later) => `${leaseOf(later)} was granted after ${leaseOf(earlier)}`),
    ),
    ...claims
      .filter(({ epoch = 0 }) => epoch > (epochs.get(taskId ?? "") ?? 0))
      .map((claim) => `${leaseOf(claim)} was granted, and the task ends with ${epochs.get(taskId ?? "")}`),
  ]);
}

function oneEnd(history: History): string[] {
  const ends = history.ok.filter(({ call }) => call === "complete" || call === "release");
  const contradicted = [...Map.groupBy(ends, leaseOf)].flatMap(([lease, all]) => {
    const words = [...new Set(all.map(({ call, word }) => word ?? call))];
    return words.length === 1 ? [] : [`${lease} ended as ${words.join(" and as ")}`];
  });
  const done = ends.filter(({ word }) => word?.endsWith("done"));
  const again = [...Map.groupBy(done, ({ taskId }) => taskId)].flatMap(([taskId, all]) => {
    const epochs = [...new Set(all.map(({ epoch }) => epoch))];
    return epochs.length === 1 ? [] : [`${taskId} was done in ${epochs.join(" and in ")}`];
  });
  const afterwards = claimsOf(history).flatMap((claim) =>
    done
      .filter(({ taskId, to }) => taskId === claim.taskId && to < claim.from)
      .map(() => `${leaseOf(claim)} was granted after the task was done`),
  );
  return [...contradicted, ...again, ...afterwards];
}

function nothingLost({ ok, final }: History): string[] {
  const tasks = new Map(final.tasks.map((task) => [task.id, task]));
  const runs = new Map(final.runs.map((run) => [leaseOf(run), run]));
  return ok.flatMap((operation) => {
    const { call, client, mark, word = "", taskId = "" } = operation;
    const run = runs.get(leaseOf(operation));
    const [outcome, status] = word.split(" ");
    const there = {
      create: () => tasks.get(taskId)?.title === mark,
      claim: () => run?.agentId === client && run.runtime === mark,
      beat: () => run?.agentId === client,
      complete: () => run?.status === outcome && (status !== "done" || tasks.get(taskId)?.status === "done"),
      release: () => run?.status === "released",
      ready: () => true,
    };
    return there[call]() ? [] : [`the ${call} ${mark ?? ""} of ${leaseOf(operation)} by ${client} is lost`];
  });
}

/** Marks are of one operation each; on the board none is there more often than that, or for nothing. */
function nothingTwice({ operations, final }: History): string[] {
  const titles = Map.groupBy(final.tasks, ({ title }) => title);
  const grants = Map.groupBy(final.runs, ({ runtime }) => runtime ?? "");
  const words = Map.groupBy(final.runs, ({ summary }) => summary ?? "");
  const marks = new Set(operations.map(({ mark }) => mark));
  const strangers = final.runs.filter(({ runtime }) => !marks.has(runtime ?? undefined));
  return [
    ...strangers.map((run) => `${leaseOf(run)} was granted, and nobody asked for it`),
    ...operations.flatMap(({ call, mark = "", outcome, code }) => {
      const found = {
        create: titles,
        claim: grants,
        complete: words,
        beat: null,
        release: null,
        ready: null,
      }[call];
      const times = found?.get(mark)?.length ?? 0;
      // A claim that got nothing is not recorded: a twin of it that was held up may still be granted. Nobody has that
      // lease, and it runs out.
      const refused = outcome === "fail" && call !== "claim";
      if (times > 1) return [`the ${call} ${mark} was done ${times} times`];
      return refused && times > 0 ? [`the ${call} ${mark} was refused (${code}) and done`] : [];
    }),
  ];
}

/** Whatever a task waits for must have been handed in by then, or may have been. */
function noEarlyOffer({ operations, ok }: History): string[] {
  const waitsFor = new Map(
    ok.filter(({ call }) => call === "create").map(({ taskId, dependsOn = [] }) => [taskId, dependsOn]),
  );
  const handedIn = new Map<string | undefined, number>();
  for (const { call, word, outcome, taskId, from } of operations)
    if (call === "complete" && word?.endsWith("done") && outcome !== "fail")
      handedIn.set(taskId, Math.min(from, handedIn.get(taskId) ?? Number.POSITIVE_INFINITY));
  return ok.flatMap(({ call, taskId, offered = [], to }) =>
    (call === "claim" ? [taskId] : offered).flatMap((task) =>
      (waitsFor.get(task) ?? [])
        .filter((blocker) => (handedIn.get(blocker) ?? Number.POSITIVE_INFINITY) > to)
        .map((blocker) => `${task} was offered (${call}) before ${blocker} was done`),
    ),
  );
}
