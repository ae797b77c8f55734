/** One column at a time, where there is room for one only. */
import { TASK_STATUSES, type TaskStatus } from "../../rules/status.ts";
import { useCounts } from "../room/room.tsx";
import { count } from "../ui/format.ts";
import { STATUS_NAMES, StatusShape } from "../ui/status.tsx";

export function ColumnTabs({
  current,
  onPick,
}: {
  current: TaskStatus;
  onPick: (status: TaskStatus) => void;
}) {
  const counts = useCounts();
  return (
    <nav className="column-tabs" aria-label="Columns">
      {TASK_STATUSES.map((status) => (
        <button key={status} type="button" aria-pressed={status === current} onClick={() => onPick(status)}>
          <span className="status" data-status={status}>
            <StatusShape status={status} size={14} />
          </span>
          {STATUS_NAMES[status]}
          <span className="column-count">{counts === null ? "" : count(counts[status])}</span>
        </button>
      ))}
    </nav>
  );
}
