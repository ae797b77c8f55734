/** A task that stands on the board, and that an export knows a later state of. */
import type { TaskBrief } from "../../import-export/edgeboard.ts";
import type { LineOf } from "../../import-export/edgeboard-lines.ts";
import { isLocked, isTerminal } from "../../rules/status.ts";
import type { NewEvent } from "../store/events.ts";
import type { StandingTask } from "../store/import-standing.ts";
import type { ContentRow } from "../store/import-writes.ts";
import type { TaskMove } from "../store/tasks.ts";
import { type Arrival, contentOf, stateOf } from "./import-lines.ts";

export interface Overwrite {
  content: ContentRow & { id: string };
  /** Null where it stays as it stands. */
  move: TaskMove | null;
  event: NewEvent;
}

/**
 * What it says is taken over; where it stands only when nobody here works on it or has finished it. Dropping and
 * restoring are never taken over: an import deletes nothing, and brings nothing back.
 */
export function overwrite(
  line: LineOf<"task">,
  brief: TaskBrief,
  before: StandingTask,
  arrival: Arrival,
  dependsOn: readonly string[],
): Overwrite {
  const settled = isLocked(before.status) || isTerminal(before.status);
  const version = Math.max(before.version + 1, line.version);
  const said = contentOf(line, arrival);
  const content = {
    ...said,
    id: arrival.id,
    version,
    worktree_ref: settled ? before.worktree_ref : said.worktree_ref,
    branch_ref: settled ? before.branch_ref : said.branch_ref,
  };
  const move = settled ? null : moveOf(line, brief, before, arrival, content);
  const to = move?.after.status ?? before.status;
  const event: NewEvent = {
    seq: arrival.changeSeq,
    kind: to === before.status ? "task_edited" : "status_changed",
    taskId: arrival.id,
    tenantId: line.tenantId,
    data: {
      fields: fieldsOf(line, settled),
      version,
      ...(to === before.status ? {} : { from: before.status, to }),
      reason: "import",
      dependsOn,
    },
  };
  return { content, move, event };
}

function moveOf(
  line: LineOf<"task">,
  brief: TaskBrief,
  before: StandingTask,
  arrival: Arrival,
  { not_before, deferred }: ContentRow,
): TaskMove {
  const state = stateOf(line, brief, arrival.now, arrival.reset);
  const waited = state.status === "todo" && before.status === "todo";
  return {
    before,
    after: {
      ...state,
      number: before.number,
      dropped: before.dropped,
      not_before,
      deferred,
      ready_since: waited ? before.ready_since : arrival.now,
      epoch: Math.max(before.epoch, brief.epoch),
      updated_at: line.updatedAt,
      change_seq: arrival.changeSeq,
    },
  };
}

const NEVER_TAKEN = ["type", "id", "number", "dropped", "guarded"];
const STANDING = [
  "status",
  "assigneeAgentId",
  "assigneeRuntime",
  "verification",
  "blockedReason",
  "attemptStreak",
  "changesNotes",
  "readySince",
  "epoch",
  "completedAt",
  "worktreeRef",
  "branchRef",
];

/** What the log tells of it: all that was taken over. */
function fieldsOf(line: LineOf<"task">, settled: boolean): Record<string, unknown> {
  const left = new Set(settled ? [...NEVER_TAKEN, ...STANDING] : NEVER_TAKEN);
  return Object.fromEntries(Object.entries(line).filter(([field]) => !left.has(field)));
}
