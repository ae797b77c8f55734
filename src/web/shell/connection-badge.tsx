/** Whether what is shown is what is: live, catching up, or how long it has been standing still. */
import { useSyncExternalStore } from "react";
import type { LiveState } from "../../client/live.ts";
import { useConnection, useRoom } from "../room/room.tsx";
import { duration } from "../ui/format.ts";
import { useTime } from "../ui/time.ts";

const SAID_MS = 8_000;

const NAMES: Record<LiveState, string> = {
  connecting: "Connecting",
  catching_up: "Catching up",
  live: "Live",
  offline: "Offline",
  ended: "Ended",
};

export function ConnectionBadge() {
  const { connection } = useRoom();
  const state = useConnection();
  const rejoinedAt = useSyncExternalStore(connection.onChange, () => connection.rejoinedAt);
  const away = useTime((now) => duration(now - connection.since));
  const fresh = useTime((now) => rejoinedAt !== null && now - rejoinedAt < SAID_MS);
  const text =
    state === "live" && fresh
      ? "Live · read anew after a gap"
      : state === "offline"
        ? `Offline for ${away}`
        : NAMES[state];
  return (
    <span className="connection" data-state={state} role="status" title="How this page stands with its board">
      <span className="dot" aria-hidden="true" />
      {text}
    </span>
  );
}
