/** A status by its shape and its colour: it has to be readable by either alone. */
import type { TaskStatus } from "../../rules/status.ts";
import { STATUS_NAMES } from "./status-names.ts";

export { STATUS_NAMES };

/** Within a square of 16: an open ring fills as the work goes on; a square stands in the way. */
const SHAPES: Record<TaskStatus, React.ReactNode> = {
  backlog: (
    <circle
      cx="8"
      cy="8"
      r="5.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeDasharray="2 2.3"
    />
  ),
  todo: <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  in_progress: (
    <>
      <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="M8 5v6a3 3 0 0 0 0-6z" fill="currentColor" stroke="currentColor" strokeLinejoin="round" />
    </>
  ),
  in_review: (
    <>
      <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <circle cx="8" cy="8" r="2.5" fill="currentColor" />
    </>
  ),
  blocked: (
    <>
      <rect x="2.5" y="2.5" width="11" height="11" rx="2" fill="currentColor" />
      <path d="M5 8h6" stroke="var(--surface)" strokeWidth="2" />
    </>
  ),
  done: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="currentColor" />
      <path d="m5 8.2 2.1 2.1L11 6.2" fill="none" stroke="var(--surface)" strokeWidth="1.6" />
    </>
  ),
  cancelled: (
    <>
      <circle cx="8" cy="8" r="5.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d="m6 6 4 4m0-4-4 4" stroke="currentColor" strokeWidth="1.5" />
    </>
  ),
};

export function StatusShape({ status, size = 16 }: { status: TaskStatus; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true">
      {SHAPES[status]}
    </svg>
  );
}

/** With its name, unless that stands beside it anyway: then for screen readers only. */
export function Status({ status, bare = false }: { status: TaskStatus; bare?: boolean }) {
  return (
    <span className="status" data-status={status}>
      <StatusShape status={status} />
      <span className={bare ? "visually-hidden" : ""}>{STATUS_NAMES[status]}</span>
    </span>
  );
}
