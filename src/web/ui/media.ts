/** Whether the window is of some kind, as it is turned and drawn. */
import { useCallback, useSyncExternalStore } from "react";

export function useMedia(query: string): boolean {
  const listen = useCallback(
    (hear: () => void) => {
      const media = matchMedia(query);
      media.addEventListener("change", hear);
      return () => media.removeEventListener("change", hear);
    },
    [query],
  );
  return useSyncExternalStore(listen, () => matchMedia(query).matches);
}
