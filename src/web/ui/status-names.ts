/** What a status is called, apart from how it is drawn: sentences need the words alone. */
import type { TaskStatus } from "../../rules/status.ts";

export const STATUS_NAMES: Record<TaskStatus, string> = {
  backlog: "Backlog",
  todo: "To do",
  in_progress: "In progress",
  in_review: "In review",
  blocked: "Blocked",
  done: "Done",
  cancelled: "Cancelled",
};
