/** What becomes of a task when one that it waits for is cancelled. */
import type { OnCancel } from "../../contract/task.ts";

export const ON_CANCEL_NAMES: Record<OnCancel, string> = {
  hold: "it goes on waiting",
  satisfy: "it waits no longer",
  cascade: "it is cancelled too",
};
