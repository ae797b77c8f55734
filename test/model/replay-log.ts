/** Rebuilds the tasks from the change log alone. */
// biome-ignore lint/suspicious/noExplicitAny: events carry data of every shape
type Data = Record<string, any>;

export interface LoggedEvent {
  kind: string;
  taskId: string | null;
  actorId: string;
  epoch: number | null;
  data: Data;
}

export interface Rebuilt {
  status: string;
  dropped: boolean;
  priority: number;
  holder: string | null;
  epoch: number;
  streak: number;
  waitsFor: string[];
}

export function replayLog(events: readonly LoggedEvent[]): Map<string, Rebuilt> {
  const tasks = new Map<string, Rebuilt>();
  for (const event of events) {
    if (event.taskId === null) continue;
    if (event.kind === "task_created") tasks.set(event.taskId, created(event.data));
    else apply(tasks.get(event.taskId) as Rebuilt, event);
  }
  return tasks;
}

function created(data: Data): Rebuilt {
  const { task, dependsOn } = data;
  return {
    status: task.status,
    dropped: false,
    priority: task.priority,
    holder: null,
    epoch: 0,
    streak: 0,
    waitsFor: [...dependsOn].sort(),
  };
}

function apply(task: Rebuilt, { kind, epoch, data }: LoggedEvent): void {
  switch (kind) {
    case "task_claimed":
      task.status = "in_progress";
      task.holder = data["agentId"];
      task.epoch = epoch ?? task.epoch;
      return;
    case "status_changed":
    case "execution_completed":
    case "task_released":
      task.status = data["to"];
      task.streak = data["attemptStreak"] ?? task.streak;
      if (data["to"] === "in_progress") task.holder = data["holder"];
      if (data["to"] === "todo" || (data["via"] === "sweep" && data["to"] === "blocked")) task.holder = null;
      return;
    case "task_dropped":
      task.dropped = true;
      task.status = data["to"];
      if (data["to"] !== data["from"]) task.holder = null;
      return;
    case "task_restored":
      task.dropped = false;
      return;
    case "dependency_linked":
      task.waitsFor = [...new Set([...task.waitsFor, data["dependsOnTaskId"]])].sort();
      return;
    case "dependency_unlinked":
      task.waitsFor = task.waitsFor.filter((id) => id !== data["dependsOnTaskId"]);
      return;
  }
}
