/** Dragging: a card is taken up, and only columns it may go to take it. What a drop asks for is `useMove`'s. */
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from "@atlaskit/pragmatic-drag-and-drop/element/adapter";
import { type RefObject, useEffect, useState, useSyncExternalStore } from "react";
import type { TaskStatus } from "../../rules/status.ts";
import { targetsOf } from "../room/moves.ts";
import { type Room, useRoom } from "../room/room.tsx";
import { STATUS_NAMES } from "../ui/status.tsx";
import { notify } from "../ui/toasts.tsx";

/** What is being dragged, and from where. One pointer drags one card. */
let dragged: { id: string; from: TaskStatus } | null = null;
const heard = new Set<() => void>();

function drag(next: typeof dragged): void {
  dragged = next;
  for (const hear of heard) hear();
}

function onDrag(hear: () => void): () => void {
  heard.add(hear);
  return () => heard.delete(hear);
}

/** As long as the card stands where it was taken up: else somebody else was faster. */
function takes({ store, me }: Room, id: string, from: TaskStatus, to: TaskStatus): boolean {
  const card = store.card(id);
  return card !== null && card.status === from && store.move(id) === null && targetsOf(card, me).includes(to);
}

export function useCardDrag(row: RefObject<HTMLElement | null>, id: string): void {
  const room = useRoom();
  useEffect(() => {
    const element = row.current;
    if (element === null) return;
    return draggable({
      element,
      canDrag: () => {
        const card = room.store.card(id);
        return card !== null && room.store.move(id) === null && targetsOf(card, room.me).length > 0;
      },
      getInitialData: () => ({ id }),
      onDragStart: () => drag({ id, from: room.store.card(id)?.status ?? "backlog" }),
    });
  }, [row, id, room]);
}

/** `legal`: what is dragged may come here; `over`: it is just above. */
export function useColumnDrop(place: RefObject<HTMLElement | null>, status: TaskStatus) {
  const room = useRoom();
  const [over, setOver] = useState(false);
  const legal = useSyncExternalStore(
    onDrag,
    () => dragged !== null && takes(room, dragged.id, dragged.from, status),
  );
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    return dropTargetForElements({
      element,
      getData: () => ({ status }),
      canDrop: () => dragged !== null && takes(room, dragged.id, dragged.from, status),
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop: () => setOver(false),
    });
  }, [place, room, status]);
  return { legal, over: over && legal };
}

/** What follows a drop; and a word where the card went elsewhere in the middle of it. */
export function useDrops(onDrop: (id: string, to: TaskStatus) => void): void {
  const { store } = useRoom();
  useEffect(() => {
    let stopWatching = () => {};
    const stop = monitorForElements({
      onDragStart: () => {
        if (dragged === null) return;
        const { id, from } = dragged;
        stopWatching = store.topics.on(`card:${id}`, () => {
          const card = store.card(id);
          if (card === null || card.status === from) return;
          notify(
            `n${card.number} was moved by somebody else: it is ${STATUS_NAMES[card.status].toLowerCase()}.`,
            "bad",
          );
          stopWatching();
          drag(null);
        });
      },
      onDrop: ({ location }) => {
        stopWatching();
        const was = dragged;
        drag(null);
        const to = location.current.dropTargets[0]?.data["status"] as TaskStatus | undefined;
        if (was !== null && to !== undefined) onDrop(was.id, to);
      },
    });
    return () => {
      stopWatching();
      stop();
    };
  }, [store, onDrop]);
}
