/** What kinds of events and of privileges there are, as words. */
import type { EventKind } from "../../contract/events.ts";

export const EVENT_NAMES: Record<EventKind, string> = {
  task_created: "Task created",
  task_edited: "Task changed",
  task_dropped: "Task dropped",
  task_restored: "Task restored",
  task_claimed: "Task claimed",
  execution_started: "Run begun",
  execution_completed: "Run ended",
  status_changed: "Task moved",
  task_released: "Task given back",
  comment_added: "Comment",
  dependency_linked: "Dependency added",
  dependency_unlinked: "Dependency removed",
  verification_recorded: "Verdict",
  changes_requested: "Changes requested",
  stop_requested: "Stop requested",
  workspace_changed: "Workspace",
  board_changed: "Board changed",
  token_minted: "Token minted",
  token_revoked: "Token revoked",
  webhook_disabled: "Webhook disabled",
  budget_warning: "Budget nearly spent",
  budget_stopped: "Budget spent",
};

/** The contract's own list would bring its schemas along. */
export const EVENT_ORDER = Object.keys(EVENT_NAMES) as EventKind[];

export function readKind(text: string | null): EventKind | null {
  return EVENT_ORDER.find((kind) => kind === text) ?? null;
}

/** What is kept of privileges; the list is the server's own and may grow, so that others are shown as they come. */
export const PRIVILEGE_NAMES: Record<string, string> = {
  human_override: "Gate overridden",
  displace: "Holder displaced",
  cancel_held: "Held task cancelled",
  drop_held: "Held task dropped",
  ignore_dependencies: "Dependencies ignored",
  stop: "Stop requested",
  reconcile: "Recovery run by hand",
  import: "Import",
  board_changed: "Board changed",
  token_minted: "Token minted",
  token_revoked: "Token revoked",
};
