/** What is seldom done with a task: taking its names along, dropping it, bringing it back. */
import { useState } from "react";
import { useRoom } from "../room/room.tsx";
import { Ask } from "../ui/ask.tsx";
import { Icon } from "../ui/icon.tsx";
import { errorText } from "../ui/problem.ts";
import { taskPath } from "../ui/task-link.tsx";
import { notify } from "../ui/toasts.tsx";
import { Menu, type MenuItem } from "./menu.tsx";
import type { Shown } from "./use-task.ts";

export function MoreMenu({ shown }: { shown: Shown }) {
  const { id: boardId, board, may } = useRoom();
  const { task } = shown.detail;
  const [dropping, setDropping] = useState(false);
  const copy = async (text: string, what: string) => {
    try {
      await navigator.clipboard.writeText(text);
      notify(`The ${what} is copied.`);
    } catch {
      notify(`The browser does not let it be copied: ${text}`, "bad");
    }
  };
  const restore = async () => {
    try {
      await board.tasks.restore(task.id);
      notify(`n${task.number} is back.`);
    } catch (error) {
      notify(errorText(error), "bad");
    }
    shown.reload();
  };
  const items: MenuItem[] = [
    {
      name: "Copy the link",
      pick: () => void copy(location.origin + taskPath(boardId, task.number), "link"),
    },
    { name: "Copy the id", pick: () => void copy(task.id, "id") },
  ];
  if (may("lead"))
    items.push(
      task.dropped
        ? { name: "Restore it", pick: () => void restore() }
        : { name: "Drop it …", danger: true, pick: () => setDropping(true) },
    );
  return (
    <>
      <Menu label="More to do with this task" kind="plain" items={items}>
        <Icon name="more" />
      </Menu>
      {dropping && (
        <Ask
          title={`Drop n${task.number}?`}
          action="Drop it"
          danger
          onAnswer={async () => {
            await board.tasks.drop(task.id);
            notify(`n${task.number} is dropped.`);
            shown.reload();
          }}
          onClose={() => setDropping(false)}
        >
          <p>
            It goes from the board and can be restored.
            {task.lease !== null && (
              <>
                {" The run of "}
                <bdi className="foreign">{task.lease.agentId}</bdi> ends at once.
              </>
            )}
          </p>
        </Ask>
      )}
    </>
  );
}
