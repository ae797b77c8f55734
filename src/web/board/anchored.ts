/**
 * Keeps what is looked at where it is while cards come and go above it. The rows are placed absolutely, so that the
 * browser cannot do this by itself.
 */
import { type RefObject, useLayoutEffect, useRef } from "react";

export function useAnchored(
  box: RefObject<HTMLElement | null>,
  ids: readonly string[],
  stride: number,
): void {
  const last = useRef(ids);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = ids;
    const element = box.current;
    if (element === null || before === ids || element.scrollTop === 0) return;
    const first = Math.floor(element.scrollTop / stride);
    for (let row = first; row < before.length; row++) {
      const now = ids.indexOf(before[row] as string);
      if (now < 0) continue;
      if (now !== row) element.scrollTop += (now - row) * stride;
      return;
    }
  }, [box, ids, stride]);
}
