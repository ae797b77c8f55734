/** One ticker for everything on the page that shows how time goes by. */
import { useSyncExternalStore } from "react";

const heard = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function tick(): void {
  now = Date.now();
  for (const hear of heard) hear();
}

function onTick(hear: () => void): () => void {
  heard.add(hear);
  if (timer === undefined) {
    tick();
    timer = setInterval(tick, 1_000);
  }
  return () => {
    heard.delete(hear);
    if (heard.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * What `read` makes of the time, in epoch milliseconds; drawn anew in the second in which that is something else. So
 * a minute that is shown costs sixty looks and one drawing.
 */
export function useTime<T>(read: (now: number) => T): T {
  return useSyncExternalStore(onTick, () => read(timer === undefined ? Date.now() : now));
}
