/** Brings a card into sight and puts the focus on it, wherever its column is scrolled to. */
import { type RefObject, useEffect } from "react";
import type { TaskStatus } from "../../rules/status.ts";

interface Wish {
  id: string;
  status: TaskStatus;
}

/** Kept until a column has it: a card that is just being moved is drawn there a little later. */
let wish: Wish | null = null;
const heard = new Set<() => void>();

export function revealCard(wanted: Wish): void {
  wish = wanted;
  for (const hear of heard) hear();
}

/** The card may be drawn only after its column was scrolled: so it is tried for a few frames. */
const FRAMES = 10;

export function useReveal(
  box: RefObject<HTMLElement | null>,
  status: TaskStatus,
  ids: readonly string[],
  scrollTo: (index: number) => void,
): void {
  useEffect(() => {
    const look = () => {
      const wanted = wish;
      if (wanted === null || wanted.status !== status) return;
      const index = ids.indexOf(wanted.id);
      if (index < 0) return;
      wish = null;
      scrollTo(index);
      const attempt = (left: number) => {
        // In this column: where it came from, it may still be drawn for a moment.
        const card = box.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(wanted.id)}"]`);
        card?.focus({ preventScroll: true });
        if (card == null && left > 0) requestAnimationFrame(() => attempt(left - 1));
      };
      attempt(FRAMES);
    };
    look();
    heard.add(look);
    return () => void heard.delete(look);
  }, [box, status, ids, scrollTo]);
}
