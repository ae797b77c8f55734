/** How much of the time is shown: a round stretch up to now, or closer and farther. */
import { useId, useState } from "react";
import type { Span } from "./time-scale.ts";

const MINUTE = 60_000;
const RANGES = [
  { name: "Last 15 minutes", ms: 15 * MINUTE },
  { name: "Last hour", ms: 60 * MINUTE },
  { name: "Last 6 hours", ms: 360 * MINUTE },
  { name: "Last day", ms: 1_440 * MINUTE },
  { name: "Last week", ms: 10_080 * MINUTE },
];

interface RangeBarProps {
  whole: Span;
  onShow: (from: number, to: number) => void;
  onZoom: (factor: number) => void;
}

export function RangeBar({ whole, onShow, onZoom }: RangeBarProps) {
  const id = useId();
  const [range, setRange] = useState("");
  const zoom = (factor: number) => {
    setRange("");
    onZoom(factor);
  };
  return (
    <div className="runs-range">
      <label htmlFor={id} className="visually-hidden">
        Time that is shown
      </label>
      <select
        id={id}
        className="input"
        value={range}
        onChange={(event) => {
          const { value } = event.currentTarget;
          setRange(value);
          if (value === "all") onShow(whole.from, whole.to);
          else if (value !== "") onShow(whole.to - Number(value), whole.to);
        }}
      >
        <option value="">Range</option>
        {RANGES.map(({ name, ms }) => (
          <option key={ms} value={ms}>
            {name}
          </option>
        ))}
        <option value="all">All that was read</option>
      </select>
      <button type="button" className="button" aria-label="Zoom out" onClick={() => zoom(1 / 1.5)}>
        −
      </button>
      <button type="button" className="button" aria-label="Zoom in" onClick={() => zoom(1.5)}>
        +
      </button>
    </div>
  );
}
