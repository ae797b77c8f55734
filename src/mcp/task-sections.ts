/** The parts of a task that `get_task` reads through, each as rows; comments and runs are fetched as they are read. */
import type { TaskDetail } from "../board/operations/get-task.ts";
import { TOOL_STEP } from "../contract/limits.ts";
import type { Comment, Execution } from "../contract/task.ts";
import type { Row, Section } from "./pages.ts";
import type { Session } from "./session.ts";
import { verdictRows } from "./verdict.ts";
import { clean, given, handoffText, moment, refOf } from "./wording.ts";

export const INCLUDES = ["verdict", "deps", "ancestors", "runs", "comments"] as const;
type Include = (typeof INCLUDES)[number];

/** In the order they are read in, whatever order they were asked for in. */
export function sectionsOf(
  session: Session,
  detail: TaskDetail,
  wanted: readonly Include[],
  commentsAfter: number,
): Section[] {
  const { task, verification = null, dependencies = [], ancestors = [] } = detail;
  const { description, blockedReason } = task;
  const texts = {
    description: clean(description),
    blocked_reason: blockedReason === null ? null : clean(blockedReason),
  };
  const deps = dependencies.map((one) => ({ ...refOf(one), satisfied: one.satisfied }));
  const all: Record<Include, Section["rows"]> = {
    verdict: behind(verdictRows(verification)),
    deps: behind(numbered(deps)),
    ancestors: behind(numbered(ancestors.map(refOf))),
    runs: (after) => runs(session, task.id, after),
    comments: (after) => comments(session, task.id, Math.max(after, commentsAfter)),
  };
  const parts = INCLUDES.filter((part) => wanted.includes(part)).map((name) => ({ name, rows: all[name] }));
  return [{ name: "task", rows: behind([{ key: 1, fixed: {}, texts }]) }, ...parts];
}

const behind =
  (rows: readonly Row[]) =>
  (after: number): Iterable<Row> =>
    rows.filter(({ key }) => key > after);

const numbered = (rows: readonly object[]): Row[] => rows.map((fixed, index) => ({ key: index + 1, fixed }));

async function* runs({ board, caller }: Session, id: string, from: number): AsyncGenerator<Row> {
  for (let after = from, more = true; more; ) {
    const page = await board.listExecutions({ caller }, { id, after, limit: TOOL_STEP });
    if (!page.ok) return;
    yield* page.value.executions.map(runRow);
    after = page.value.executions.at(-1)?.epoch ?? after;
    more = page.value.hasMore;
  }
}

function runRow(run: Execution): Row {
  const { summary, error, handoff, reason } = run;
  return {
    key: run.epoch,
    fixed: {
      epoch: run.epoch,
      agent: clean(run.agentId),
      status: run.status,
      started_at: moment(run.startedAt),
      ...given({
        ended_at: run.endedAt === null ? null : moment(run.endedAt),
        commit: run.afterCommit === null ? null : clean(run.afterCommit),
      }),
      cost_usd: run.costUsd,
    },
    texts: {
      summary: summary === null && reason === null ? null : clean(summary ?? reason ?? ""),
      error: error === null || error === summary ? null : clean(error),
      handoff: handoff === null ? null : handoffText(handoff),
    },
  };
}

async function* comments({ board, caller }: Session, id: string, from: number): AsyncGenerator<Row> {
  for (let after = from, more = true; more; ) {
    const page = await board.listComments({ caller }, { id, after, limit: TOOL_STEP });
    if (!page.ok) return;
    yield* page.value.comments.map(commentRow);
    after = page.value.comments.at(-1)?.id ?? after;
    more = page.value.hasMore;
  }
}

function commentRow({ id, authorId, createdAt, body }: Comment): Row {
  const fixed = { id, author: clean(authorId), at: moment(createdAt) };
  return { key: id, fixed, texts: { body: clean(body) } };
}
