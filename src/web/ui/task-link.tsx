/** A task by its number and its title, as the way to it. */
import { Link } from "wouter-preact";
import type { TaskStatus } from "../../rules/status.ts";
import { useRoom } from "../room/room.tsx";
import { Status } from "./status.tsx";
import { taskPath } from "./task-path.ts";

export { taskPath };

interface Named {
  number: number;
  title: string;
  status?: TaskStatus;
}

export function TaskLink({ task }: { task: Named }) {
  const { id } = useRoom();
  return (
    <Link href={taskPath(id, task.number)} className="task-link" draggable={false}>
      {task.status !== undefined && <Status status={task.status} bare />}
      <span className="number">n{task.number}</span>
      <bdi className="foreign">{task.title}</bdi>
    </Link>
  );
}
