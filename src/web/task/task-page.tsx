/** A task by itself, for whoever comes by its address. */
import { Link } from "wouter-preact";
import { useBoard, useRoom } from "../room/room.tsx";
import { ConnectionBadge } from "../shell/connection-badge.tsx";
import { useTitle } from "../shell/page.tsx";
import { Icon } from "../ui/icon.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { TaskView } from "./task-view.tsx";
import { useTask } from "./use-task.ts";

export default function TaskPage({ name }: { name: string }) {
  const { id } = useRoom();
  const board = useBoard()?.name ?? id;
  const resource = useTask(name);
  const task = resource.value?.task;
  useTitle(`${task === undefined ? name : `n${task.number} ${task.title}`} · ${board}`);
  return (
    <main className="page" id="main" tabIndex={-1}>
      <div className="task-way">
        <Link href={`/b/${id}`} className="task-back">
          <Icon name="back" />
          <span className="foreign">{board}</span>
        </Link>
        <ConnectionBadge />
      </div>
      <Loaded resource={resource}>
        {(detail) => <TaskView shown={{ detail, reload: resource.reload }} />}
      </Loaded>
    </main>
  );
}
