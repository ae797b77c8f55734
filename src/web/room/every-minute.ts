/** For what time alone changes on the server: no event tells of it. */
import { useEffect, useRef } from "react";
import { useTime } from "../ui/time.ts";

export function useEveryMinute(act: () => void): void {
  const minute = useTime((now) => Math.floor(now / 60_000));
  const latest = useRef(act);
  latest.current = act;
  const done = useRef(minute);
  useEffect(() => {
    if (minute === done.current) return;
    done.current = minute;
    latest.current();
  }, [minute]);
}
