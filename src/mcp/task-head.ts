/** What `get_task` says of the task itself on every page; its long texts are a section of their own. */
import type { TaskDetail } from "../board/operations/get-task.ts";
import { Room } from "./room.ts";
import { briefOf, clean, given, moment, nameOf } from "./wording.ts";

/** Lists beside the texts are shown as far as they fit into this; they cannot be read on. */
const LIST_MOST = 1_500;

export function headOf({ task, ancestors = [] }: TaskDetail) {
  const truncated: string[] = [];
  const fitting = (name: string, list: readonly string[]): string[] | null => {
    const shown = new Room(LIST_MOST).takeList(list.map(clean));
    if (shown.length < list.length) truncated.push(name);
    return list.length === 0 ? null : shown;
  };
  const [parent] = ancestors;
  const fixed = {
    ...briefOf(task),
    epoch: task.epoch,
    ...given({
      parent_id: parent === undefined ? null : nameOf(parent),
      labels: fitting("labels", task.labels),
      required_capabilities: fitting("required_capabilities", task.requiredCapabilities),
      kind: task.kind === null ? null : clean(task.kind),
      created_by: task.createdBy === null ? null : clean(task.createdBy),
      not_before: task.notBefore === null ? null : moment(task.notBefore),
    }),
  };
  return { fixed, truncated };
}
