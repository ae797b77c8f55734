/** Timeline or table, and what its rows are: the line above the runs. */
import type { Choice } from "./choice.ts";
import { RUN_NAMES, RunStatus } from "./run-words.tsx";

interface ChoiceBarProps {
  choice: Choice;
  onChoose: (next: Partial<Choice>) => void;
}

const STATUSES = Object.keys(RUN_NAMES) as (keyof typeof RUN_NAMES)[];

export function ChoiceBar({ choice, onChoose }: ChoiceBarProps) {
  return (
    <div className="runs-bar-of-choices">
      <Turn
        label="How runs are shown"
        value={choice.as}
        names={{ timeline: "Timeline", table: "Table" }}
        onTurn={(as) => onChoose({ as })}
      />
      {choice.as === "timeline" && (
        <>
          <Turn
            label="What a row is"
            value={choice.by}
            names={{ agent: "By agent", task: "By task" }}
            onTurn={(by) => onChoose({ by })}
          />
          <label className="runs-check">
            <input
              type="checkbox"
              checked={choice.idle === "short"}
              onChange={(event) => onChoose({ idle: event.currentTarget.checked ? "short" : "long" })}
            />
            Idle times short
          </label>
          <ul className="runs-legend" aria-label="What the bars mean">
            {STATUSES.map((status) => (
              <li key={status}>
                <RunStatus status={status} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

interface TurnProps<T extends string> {
  label: string;
  value: T;
  names: Record<T, string>;
  onTurn: (value: T) => void;
}

function Turn<T extends string>({ label, value, names, onTurn }: TurnProps<T>) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row of buttons
    <div className="runs-turn" role="group" aria-label={label}>
      {(Object.keys(names) as T[]).map((name) => (
        <button
          key={name}
          type="button"
          className="button"
          aria-pressed={name === value}
          onClick={() => onTurn(name)}
        >
          {names[name]}
        </button>
      ))}
    </div>
  );
}
