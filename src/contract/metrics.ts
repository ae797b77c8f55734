/** What `GET …/metrics` tells, by name. Everything a scraper shows of a metric stands here. */

interface Metric {
  type: "gauge" | "counter";
  /** One sentence or two; scrapers show it. */
  help: string;
}

const UP_TO = "counted up to 1,000";
/** Kept in memory: a row for each call would cost more than the call. */
const SINCE_START = "since the board's object started; it begins anew whenever the object does";

export const METRICS = {
  edgeboard_tasks: { type: "gauge", help: "Tasks by status, dropped ones aside." },
  edgeboard_ready_tasks: { type: "gauge", help: `Tasks that could be claimed now, ${UP_TO}.` },
  edgeboard_oldest_ready_age_seconds: {
    type: "gauge",
    help: "How long the task that has been ready longest has waited; absent where none is ready.",
  },
  edgeboard_leases: {
    type: "gauge",
    help: "Running leases by state: live, or expired and still to be swept.",
  },
  edgeboard_needs_person_tasks: {
    type: "gauge",
    help: `Tasks that do not go on by themselves, by reason; attempt_limit and unclaimable ${UP_TO}. GET stuck has those that are unreachable, too.`,
  },
  edgeboard_paused: { type: "gauge", help: "1 while the board hands out nothing, else 0." },
  edgeboard_archived: { type: "gauge", help: "1 while the board is archived, else 0." },
  edgeboard_events_total: {
    type: "counter",
    help: "Events ever written, which is the log's last seq. It outlives restarts.",
  },
  edgeboard_storage_bytes: { type: "gauge", help: "Size of the board's database." },
  edgeboard_storage_limit_bytes: {
    type: "gauge",
    help: "The size from which on the board takes in nothing new and refuses it with board_full.",
  },
  edgeboard_sockets: { type: "gauge", help: "Sockets that follow the board." },
  edgeboard_waiters: { type: "gauge", help: "Requests that wait with waitMs, for work or for events." },
  edgeboard_last_sweep_age_seconds: {
    type: "gauge",
    help: "Since the alarm last did its work; it grows while nothing is due. Absent before the first time.",
  },
  edgeboard_failed_alarms: { type: "gauge", help: "Alarms that failed in a row; 0 after one that did not." },
  edgeboard_webhooks: { type: "gauge", help: "Webhooks by state." },
  edgeboard_webhook_deliveries: {
    type: "gauge",
    help: `Deliveries in the outbox by state, ${UP_TO}: pending, or dead and given up within the last week.`,
  },
  edgeboard_start_time_seconds: {
    type: "gauge",
    help: "When the board's object started, in Unix time. A board that nobody uses sleeps and starts again.",
  },
  edgeboard_operations_total: {
    type: "counter",
    help: `Operations by name and outcome (ok, or the code of the refusal), ${SINCE_START}.`,
  },
  edgeboard_rows_read_total: { type: "counter", help: `Rows read, as they are billed, ${SINCE_START}.` },
  edgeboard_rows_written_total: {
    type: "counter",
    help: `Rows written, as they are billed, ${SINCE_START}.`,
  },
  edgeboard_turned_away_total: {
    type: "counter",
    help: `Calls refused for overload, and requests that found no place to wait in, ${SINCE_START}. What the platform or the Worker refuses before the board is not seen here.`,
  },
} satisfies Record<string, Metric>;

export type MetricName = keyof typeof METRICS;

export interface Sample {
  labels?: Record<string, string>;
  value: number;
}

/** A metric without samples has nothing to tell now. */
export type Samples = Record<MetricName, Sample[]>;
