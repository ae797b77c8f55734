/** How much of the change log is kept. */
import { RETENTION_SLACK, RETENTION_SLACK_MIN } from "../contract/limits.ts";

export interface LogBounds {
  /** The oldest and the newest seq there is; the log has no gaps between them. */
  oldest: number;
  last: number;
}

/** Up to this seq the log goes, so that the newest `retention` events stay. */
export function trimTo(log: LogBounds, retention: number): number {
  return log.last - retention;
}

/** Whether a trim is worth an alarm: it is not for every event that comes in. */
export function isTrimDue(log: LogBounds, retention: number): boolean {
  const slack = Math.max(RETENTION_SLACK_MIN, Math.floor(retention * RETENTION_SLACK));
  return trimTo(log, retention) - log.oldest + 1 > slack;
}
