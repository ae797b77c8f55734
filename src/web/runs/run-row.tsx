/** A row of the timeline with the bars that are in view. */
import { memo, useMemo } from "react";
import { Link } from "wouter-preact";
import { useRoom } from "../room/room.tsx";
import { useTaskName } from "../room/task-names.ts";
import { taskPath } from "../ui/task-link.tsx";
import { barsOf } from "./bars.ts";
import type { Row } from "./lanes.ts";
import { EndedBar, ManyBar, RunningBar } from "./run-bar.tsx";
import type { TimeScale } from "./time-scale.ts";

interface RunRowProps {
  row: Row;
  by: "agent" | "task";
  top: number;
  scale: TimeScale;
  left: number;
  right: number;
  within: number;
  /** The chosen run, where it is one of this row. */
  chosen: string | null;
}

export const RunRow = memo(function RunRow({
  row,
  by,
  top,
  scale,
  left,
  right,
  within,
  chosen,
}: RunRowProps) {
  const bars = useMemo(() => barsOf(row.runs, scale, left, right, within), [row, scale, left, right, within]);
  return (
    <div className="runs-row" data-first={row.first || undefined} style={{ top }}>
      <div className="runs-label">
        {row.first &&
          (by === "agent" ? <span className="foreign">{row.lane}</span> : <TaskLane id={row.lane} />)}
      </div>
      <div className="runs-track">
        {bars.map((bar) => {
          const run = bar.runs[0];
          if (run === undefined) return null;
          if (bar.runs.length > 1) return <ManyBar key={bar.key} bar={bar} />;
          const OneBar = run.endedAt === null ? RunningBar : EndedBar;
          return <OneBar key={bar.key} run={run} scale={scale} by={by} chosen={run.id === chosen} />;
        })}
      </div>
    </div>
  );
});

function TaskLane({ id }: { id: string }) {
  const { id: board } = useRoom();
  const name = useTaskName(id);
  if (name === null) return <span className="soft">…</span>;
  return (
    <Link href={taskPath(board, name.number)} title={name.title}>
      n{name.number} <bdi className="foreign">{name.title}</bdi>
    </Link>
  );
}
