/** The board by keyboard: arrows between cards, `m` moves the one that has the focus. Enter opens it: it is a link. */
import { useEffect } from "react";
import type { TaskStatus } from "../../rules/status.ts";
import { useRoom } from "../room/room.tsx";
import { revealCard } from "./focus.ts";

interface BoardKeys {
  viewKey: string;
  /** Columns that show their cards, from left to right. */
  open: readonly TaskStatus[];
  onMenu: (id: string) => void;
  onNew: (() => void) | null;
}

export function useBoardKeys({ viewKey, open, onMenu, onNew }: BoardKeys): void {
  const { store } = useRoom();
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.metaKey || event.ctrlKey || event.altKey || target.closest("input, textarea, select, dialog"))
        return;
      const id = target.dataset?.["card"];
      if (event.key === "c" && onNew !== null && (id !== undefined || target === document.body)) {
        event.preventDefault();
        onNew();
      }
      if (id === undefined) return;
      const step = STEPS[event.key];
      if (event.key === "m") {
        event.preventDefault();
        onMenu(id);
      } else if (step !== undefined) {
        event.preventDefault();
        const next = neighbour(id, step);
        if (next !== null) revealCard(next);
      }
    };
    const neighbour = (id: string, [across, down]: readonly [number, number]) => {
      const column = open.findIndex((status) => store.columns.shown(viewKey, status).includes(id));
      if (column < 0) return null;
      const row = store.columns.shown(viewKey, open[column] as TaskStatus).indexOf(id);
      for (let to = column + across; to >= 0 && to < open.length; to += across) {
        const status = open[to] as TaskStatus;
        const ids = store.columns.shown(viewKey, status);
        // Columns without cards are stepped over.
        const other = ids[across === 0 ? row + down : Math.min(row, ids.length - 1)];
        if (other !== undefined) return { id: other, status };
        if (across === 0) return null;
      }
      return null;
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [store, viewKey, open, onMenu, onNew]);
}

const STEPS: Record<string, readonly [number, number]> = {
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
};
