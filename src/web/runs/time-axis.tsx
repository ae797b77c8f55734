/** The moments over the timeline, the lines down from them, what is drawn short, and where now is. */
import { memo } from "react";
import { useRoom } from "../room/room.tsx";
import { duration } from "../ui/format.ts";
import { useTime } from "../ui/time.ts";
import { type Tick, type TimeScale, ticksIn, xOf } from "./time-scale.ts";

interface InView {
  scale: TimeScale;
  left: number;
  right: number;
}

const offset = (at: number) => -new Date(at).getTimezoneOffset() * 60_000;
const day = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short" });
const minute = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const second = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

function label({ at, newDay, step }: Tick): string {
  if (step >= 86_400_000) return day.format(at);
  const time = (step < 60_000 ? second : minute).format(at);
  return newDay ? `${day.format(at)}, ${time}` : time;
}

export const TimeAxis = memo(function TimeAxis({ scale, left, right }: InView) {
  return (
    <div className="runs-axis" aria-hidden="true">
      <div className="runs-label" />
      <div className="runs-track">
        {ticksIn(scale, left, right, offset).map((tick) => (
          <span key={tick.at} className="runs-tick" style={{ left: tick.x }}>
            {label(tick)}
          </span>
        ))}
      </div>
    </div>
  );
});

export const TimeGrid = memo(function TimeGrid({ scale, left, right }: InView) {
  const short = scale.pieces.filter(
    (piece) => piece.short && piece.x < right && piece.x + piece.width > left,
  );
  return (
    <div className="runs-grid">
      {ticksIn(scale, left, right, offset).map((tick) => (
        <span key={tick.at} className="runs-line" style={{ left: tick.x }} />
      ))}
      {short.map(({ from, to, x, width }) => (
        <span
          key={from}
          className="runs-idle"
          title={`Nothing ran for ${duration(to - from)}`}
          style={{ left: x, width }}
        />
      ))}
      <Now scale={scale} />
    </div>
  );
});

function Now({ scale }: { scale: TimeScale }) {
  const { store } = useRoom();
  const x = useTime((now) => Math.round(xOf(scale, now + store.skewMs)));
  return <span className="runs-now" style={{ left: x }} />;
}
