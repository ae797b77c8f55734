/** What somebody has written and not saved: nobody leaves it behind without being asked. */
import { useEffect } from "react";

let unsaved = 0;

export function hasUnsaved(): boolean {
  return unsaved > 0;
}

/** While `written`, the browser asks before it closes the page, and the drawer before it closes. */
export function useUnsaved(written: boolean): void {
  useEffect(() => {
    if (!written) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    unsaved++;
    addEventListener("beforeunload", ask);
    return () => {
      unsaved--;
      removeEventListener("beforeunload", ask);
    };
  }, [written]);
}
