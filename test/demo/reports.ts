/** What a worker tells its parent, and how it is told where to work. */

/** One message for each thing that happened; the parent counts them. */
export type WorkerReport =
  | { kind: "holding"; task: string }
  | { kind: "conflict" }
  | { kind: "beat" }
  | { kind: "lost" };

/** The names of a worker's environment. The token stays out of its command line, which anybody can list. */
export const WORKER_ENV = {
  board: "EDGEBOARD_DEMO_BOARD",
  token: "EDGEBOARD_DEMO_TOKEN",
  pauseMs: "EDGEBOARD_DEMO_PAUSE_MS",
} as const;
