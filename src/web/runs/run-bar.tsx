/** A run on the timeline, or several that are too narrow to be told apart. */
import { memo } from "react";
import type { Execution } from "../../contract/task.ts";
import { useBoard, useCard, useRoom } from "../room/room.tsx";
import { useTaskName } from "../room/task-names.ts";
import { useTime } from "../ui/time.ts";
import { BAR_MIN_PX, type Bar } from "./bars.ts";
import { gravest, RUN_NAMES, RunSign, sumOf } from "./run-words.tsx";
import { type TimeScale, xOf } from "./time-scale.ts";

const SIGN_PX = 18;
const LABEL_PX = 56;

interface RunBarProps {
  run: Execution;
  scale: TimeScale;
  by: "agent" | "task";
  chosen: boolean;
}

/** It has ended: nothing about it moves any more. */
export const EndedBar = memo(function EndedBar(props: RunBarProps) {
  const { run, scale } = props;
  const x = xOf(scale, run.startedAt);
  const width = Math.max(BAR_MIN_PX, xOf(scale, run.endedAt ?? run.startedAt) - x);
  const ttl = useBoard()?.settings.leaseTtlMs ?? 0;
  return (
    <>
      <RunButton {...props} x={x} width={width} />
      {run.status === "timed_out" && (
        <Marks
          scale={scale}
          beatAt={run.lastBeatAt}
          expiresAt={Math.min(run.lastBeatAt + ttl, run.endedAt ?? 0)}
        />
      )}
    </>
  );
});

/** It grows by itself, second by second, and nothing else is drawn anew for it. */
export const RunningBar = memo(function RunningBar(props: RunBarProps) {
  const { run, scale } = props;
  const { store } = useRoom();
  const card = useCard(run.taskId);
  const ttl = useBoard()?.settings.leaseTtlMs ?? 0;
  const lease = card?.lease?.epoch === run.epoch ? card.lease : null;
  const beatAt = Math.max(run.lastBeatAt, (lease !== null && card?.heartbeatAt) || 0);
  const expiresAt = lease?.expiresAt ?? beatAt + ttl;
  const x = xOf(scale, run.startedAt);
  const width = useTime((now) => Math.max(BAR_MIN_PX, Math.round(xOf(scale, now + store.skewMs) - x)));
  const expired = useTime((now) => now + store.skewMs >= expiresAt);
  return (
    <>
      <RunButton {...props} x={x} width={width} expired={expired} />
      <Marks scale={scale} beatAt={beatAt} expiresAt={expiresAt} />
    </>
  );
});

function RunButton({
  run,
  by,
  chosen,
  x,
  width,
  expired = false,
}: RunBarProps & { x: number; width: number; expired?: boolean }) {
  return (
    <button
      type="button"
      className="runs-bar"
      tabIndex={-1}
      data-run={run.status}
      data-id={run.id}
      data-expired={expired || undefined}
      aria-pressed={chosen}
      aria-label={
        width < LABEL_PX ? `Run of ${run.agentId}, ${RUN_NAMES[run.status].toLowerCase()}` : undefined
      }
      style={{ left: x, width }}
    >
      {width >= SIGN_PX && <RunSign status={run.status} />}
      {width >= LABEL_PX && (
        <span className="runs-bar-label foreign">
          {by === "task" ? run.agentId : <TaskLabel id={run.taskId} />}
          <span className="visually-hidden">, {RUN_NAMES[run.status].toLowerCase()}</span>
        </span>
      )}
    </button>
  );
}

function TaskLabel({ id }: { id: string }) {
  const name = useTaskName(id);
  return <>{name === null ? "…" : `n${name.number} ${name.title}`}</>;
}

/** When it was heard of last, and when its lease runs out, or ran out. */
function Marks({ scale, beatAt, expiresAt }: { scale: TimeScale; beatAt: number; expiresAt: number }) {
  return (
    <>
      <span className="runs-beat" style={{ left: xOf(scale, beatAt) }} />
      <span className="runs-expiry" style={{ left: xOf(scale, expiresAt) }} />
    </>
  );
}

export function ManyBar({ bar }: { bar: Bar }) {
  return (
    <button
      type="button"
      className="runs-many"
      tabIndex={-1}
      data-run={gravest(bar.runs)}
      data-from={bar.runs[0]?.startedAt}
      data-to={bar.runs.at(-1)?.endedAt}
      title={sumOf(bar.runs)}
      aria-label={`${sumOf(bar.runs)}. Zoom in`}
      style={{ left: bar.x, width: bar.width }}
    />
  );
}
