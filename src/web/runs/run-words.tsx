/** What a run's status is called, and the sign it has beside its colour. */
import type { Execution, ExecutionStatus } from "../../contract/task.ts";
import { duration } from "../ui/format.ts";

export const RUN_NAMES: Record<ExecutionStatus, string> = {
  running: "Running",
  succeeded: "Succeeded",
  failed: "Failed",
  timed_out: "Timed out",
  cancelled: "Cancelled",
  released: "Given back",
};

/** In a square of 12. */
const SIGNS: Record<ExecutionStatus, string> = {
  running: "M4 2.5v7l5.5-3.5z",
  succeeded: "m2.5 6.3 2.5 2.5 4.5-5.3",
  failed: "m3 3 6 6m0-6-6 6",
  timed_out: "M6 10.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM6 3.5V6l1.8 1.2",
  cancelled: "M6 10.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM3 9l6-6",
  released: "M5 3 2.5 5.5 5 8M2.5 5.5h4a3 3 0 0 1 0 5.5",
};

export function RunSign({ status }: { status: ExecutionStatus }) {
  return (
    <svg
      className="runs-sign"
      width="12"
      height="12"
      viewBox="0 0 12 12"
      fill={status === "running" ? "currentColor" : "none"}
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={SIGNS[status]} />
    </svg>
  );
}

export function RunStatus({ status }: { status: ExecutionStatus }) {
  return (
    <span className="runs-status" data-run={status}>
      <RunSign status={status} />
      {RUN_NAMES[status]}
    </span>
  );
}

export function lengthOf(run: Execution, now: number): string {
  return duration((run.endedAt ?? now) - run.startedAt);
}

/** The one that most needs to be seen of several. */
export function gravest(runs: readonly Execution[]): ExecutionStatus {
  const order: ExecutionStatus[] = ["failed", "timed_out", "running", "cancelled", "released", "succeeded"];
  return order.find((status) => runs.some((run) => run.status === status)) ?? "succeeded";
}

/** `12 runs: 10 succeeded, 2 failed`. */
export function sumOf(runs: readonly Execution[]): string {
  const counts = new Map<ExecutionStatus, number>();
  for (const { status } of runs) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts].map(([status, count]) => `${count} ${RUN_NAMES[status].toLowerCase()}`);
  return `${runs.length} runs: ${parts.join(", ")}`;
}
