/** How long a holder still has to give a sign of life. Calm until the last half minute. */
import type { HeldLease } from "../../contract/task.ts";
import { useRoom } from "../room/room.tsx";
import { countdown, duration } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { useTime } from "../ui/time.ts";

const SOON_MS = 30_000;

export function LeaseClock({ lease }: { lease: HeldLease }) {
  const { store } = useRoom();
  const text = useTime((now) => leftOf(lease, now + store.skewMs));
  const tone = useTime((now) => toneOf(lease, now + store.skewMs));
  return (
    <span className="tag" data-tone={tone} title="How long its lease still lives without a beat">
      <Icon name="clock" />
      {text}
    </span>
  );
}

function leftOf({ expiresAt }: HeldLease, now: number): string {
  const left = expiresAt - now;
  if (left <= 0) return "silent";
  // Seconds only where they matter: a board of countdowns is not calm.
  return left > 60_000 ? duration(left) : countdown(left);
}

function toneOf({ expiresAt }: HeldLease, now: number): string | undefined {
  if (expiresAt <= now) return "bad";
  return expiresAt - now <= SOON_MS ? "warn" : undefined;
}
