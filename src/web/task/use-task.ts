/** A task with everything around it, read anew whenever something happens to it or to a task beside it. */
import { useEffect } from "react";
import type { Answer } from "../../client/calls.ts";
import { cardOf } from "../room/card.ts";
import { type Resource, useResource } from "../room/resource.ts";
import { useCard, useRoom } from "../room/room.tsx";

export type Detail = Answer<"getTask">;

/** What is drawn of a task, and how it is read again. */
export interface Shown {
  detail: Detail;
  reload: () => void;
}

/** Several events come together, and one look is enough for them. */
export const AT_ONCE_MS = 100;

const PARTS = ["comments", "executions", "ancestors", "dependencies", "workspace"] as const;

export function useTask(name: string): Resource<Detail> {
  const { board, store } = useRoom();
  const resource: Resource<Detail> = useResource(
    `task:${name}`,
    (signal) => board.tasks.get(name, { include: [...PARTS] }, { signal }),
    ({ taskId }) => taskId !== null && resource.value !== null && isAround(resource.value, taskId),
    AT_ONCE_MS,
  );
  const { value } = resource;
  useEffect(() => {
    if (value === null) return;
    // It may stand further down than the board was read; moves and leases look for it in the store.
    store.apply([cardOf(value.task)], value.task.changeSeq);
    store.read(value.task.id);
  }, [store, value]);
  // Whatever told the store of a change, such as one's own move: what is drawn here follows.
  const card = useCard(value?.task.id ?? "");
  const newer = card !== null && value !== null && card.changeSeq > value.task.changeSeq;
  const { reload } = resource;
  // Once for each change, not for each drawing.
  useEffect(() => {
    if (newer) reload();
  }, [newer, card?.changeSeq]);
  return resource;
}

function isAround({ task, ancestors = [], dependencies = [] }: Detail, id: string): boolean {
  return task.id === id || [ancestors, dependencies].some((some) => some.some((one) => one.id === id));
}
