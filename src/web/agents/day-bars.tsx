/** A small row of bars, one a day. What it says in one sentence is its name; the numbers stand in a table elsewhere. */
import { type DayValue, dayName } from "./days.ts";

const HEIGHT = 28;

interface DayBarsProps {
  /** Names what is counted, such as `Successes a day`. */
  label: string;
  days: readonly DayValue[];
  format: (value: number) => string;
  width?: number;
}

export function DayBars({ label, days, format, width = 120 }: DayBarsProps) {
  const most = days.reduce((top, day) => (day.value > top.value ? day : top), { day: 0, value: 0 });
  const step = width / days.length;
  const gap = Math.min(2, step / 4);
  const said =
    most.value === 0 ? `${label}: none` : `${label}: at most ${format(most.value)}, on ${dayName(most.day)}`;
  return (
    <svg
      className="bars"
      role="img"
      aria-label={said}
      width={width}
      height={HEIGHT}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <line className="agents-axis" x1="0" x2={width} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
      {days.map(({ day, value }, index) => {
        // The least that is more than nothing can still be seen.
        const height = value === 0 ? 0 : Math.max(2, (value / most.value) * (HEIGHT - 2));
        return (
          <rect key={day} x={index * step} y={HEIGHT - 1 - height} width={step - gap} height={height}>
            <title>{`${dayName(day)}: ${format(value)}`}</title>
          </rect>
        );
      })}
    </svg>
  );
}
