/** An event as one line: when, who, what, on which task. */
import type { BoardEvent } from "../contract/events.ts";
import { type Colors, oneLine } from "./output.ts";
import { statusColor } from "./words.ts";

/** What people know a task by; events name it by its id. */
export type NameOf = (taskId: string) => string;

export function eventLine(event: BoardEvent, nameOf: NameOf, colors: Colors): string {
  const { at, actor, kind, taskId } = event;
  return [
    colors.dim(new Date(at).toISOString().slice(11, 19)),
    oneLine(actor.id).padEnd(12),
    kind.replaceAll("_", " ").padEnd(20),
    taskId === null ? "" : nameOf(taskId),
    more(event, colors),
  ]
    .filter((part) => part !== "")
    .join("  ")
    .trimEnd();
}

/** What the data of an event says that is worth a place on its line. */
function more({ data, kind }: BoardEvent, colors: Colors): string {
  const { from, to, via, reason, body, status } = data;
  const words = [
    typeof from === "string" && typeof to === "string" ? `${from} → ${statusColor(colors, to)(to)}` : "",
    kind === "execution_completed" && typeof status === "string" ? status : "",
    typeof via === "string" ? `(${via})` : "",
    typeof reason === "string" ? oneLine(reason) : "",
    typeof body === "string" ? oneLine(body).slice(0, 80) : "",
  ];
  return words.filter((word) => word !== "").join("  ");
}
