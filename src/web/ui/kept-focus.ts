/** What goes takes the focus with it: then it is on the page, so that the next Tab goes on from there. */
import { useEffect } from "react";

/** `rows`: what is drawn; whenever that is something else, the focus is looked for. */
export function useKeptFocus(rows: unknown): void {
  useEffect(() => {
    if (document.activeElement === document.body)
      document.getElementById("main")?.focus({ preventScroll: true });
  }, [rows]);
}
