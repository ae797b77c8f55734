/** What an event says of a run. Costs and tokens are not told by events: those are read afterwards. */
import type { BoardEvent } from "../../contract/events.ts";
import type { Execution, ExecutionStatus } from "../../contract/task.ts";

/** The run an event is about, and how it stands after it; null: it is about none. */
export function runAfter(event: BoardEvent, known: (id: string) => Execution | undefined): Execution | null {
  const { kind, data, taskId } = event;
  if (taskId === null) return null;
  if (kind === "task_claimed" || kind === "execution_started") {
    const id = String(data["executionId"]);
    return known(id) ?? begun(event, id, taskId);
  }
  const ended = endOf(event);
  const run = ended === null ? undefined : known(ended.id);
  if (ended === null || run === undefined || run.endedAt !== null) return null;
  return {
    ...run,
    status: ended.status,
    endedAt: event.at,
    summary: words(data["summary"]) ?? run.summary,
    error: words(data["error"]) ?? run.error,
  };
}

const words = (value: unknown) => (typeof value === "string" ? value : null);

/** A run ends by its completion, or together with whatever took its task away. */
function endOf({ kind, data }: BoardEvent): { id: string; status: ExecutionStatus } | null {
  if (kind === "execution_completed")
    return { id: String(data["executionId"]), status: data["status"] as ExecutionStatus };
  return (data["execution"] as { id: string; status: ExecutionStatus } | undefined) ?? null;
}

function begun({ at, epoch, data }: BoardEvent, id: string, taskId: string): Execution {
  return {
    id,
    taskId,
    epoch: epoch ?? 0,
    agentId: String(data["agentId"]),
    runtime: words(data["runtime"]),
    executorType: null,
    runReason: null,
    status: "running",
    reason: null,
    startedAt: at,
    lastBeatAt: at,
    endedAt: null,
    progress: null,
    summary: null,
    error: null,
    beforeCommit: null,
    afterCommit: null,
    inputTokens: 0,
    outputTokens: 0,
    cacheRead: 0,
    cacheWrite: 0,
    costUsd: 0,
    handoff: null,
    recoveryTombstone: false,
    trimmedAt: null,
  };
}
