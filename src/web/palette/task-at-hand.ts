/** The task somebody is at: the one whose page is open, else the one whose card or link has the focus. */
import type { Card } from "../room/card.ts";
import type { Store } from "../room/store.ts";

export function taskAtHand(store: Store, path: string, focused: Element | null): Card | null {
  const open = numberIn(path);
  if (open !== null) return store.byNumber(open);
  const place = focused?.closest("[data-task], [data-task-id], a[href*='/t/n']") ?? null;
  if (place === null) return null;
  const { task, taskId } = (place as HTMLElement).dataset;
  const byId = store.card(task ?? taskId ?? "");
  if (byId !== null) return byId;
  const link = place.matches("a") ? place : place.querySelector("a[href*='/t/n']");
  const number = numberIn(link?.getAttribute("href") ?? "");
  return number === null ? null : store.byNumber(number);
}

function numberIn(path: string): number | null {
  const match = /\/t\/n(\d+)/.exec(path);
  return match === null ? null : Number(match[1]);
}
