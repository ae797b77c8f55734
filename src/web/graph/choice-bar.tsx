/** Which tasks, and drawn or listed: the row above the graph. */
import { type ReactNode, useEffect, useId, useState } from "react";
import type { Choice } from "./choice.ts";

interface ChoiceBarProps {
  choice: Choice;
  onChoose: (next: Partial<Choice>) => void;
  children: ReactNode;
}

const DEPTHS = [1, 2, 3, 5, 10];

export function ChoiceBar({ choice, onChoose, children }: ChoiceBarProps) {
  const id = useId();
  const [around, setAround] = useState(choice.around);
  useEffect(() => setAround(choice.around), [choice.around]);
  const go = (event: Event) => {
    event.preventDefault();
    const task = around.trim().replace(/^(\d)/, "n$1");
    onChoose(task === "" ? { show: "open", around: "" } : { show: "around", around: task });
  };
  return (
    <div className="graph-bar">
      <div className="graph-field">
        <label htmlFor={`${id}-show`}>Show</label>
        <select
          id={`${id}-show`}
          className="input"
          value={choice.show}
          onChange={(event) => {
            const show = event.currentTarget.value as Choice["show"];
            if (show !== "around") onChoose({ show, around: "" });
          }}
        >
          <option value="open">What is not done</option>
          <option value="all">Everything</option>
          {choice.show === "around" && <option value="around">Around {choice.around}</option>}
        </select>
      </div>
      <form className="graph-field" onSubmit={go}>
        <label htmlFor={`${id}-around`}>Around</label>
        <input
          id={`${id}-around`}
          className="input graph-task"
          value={around}
          placeholder="n12"
          onInput={(event) => setAround(event.currentTarget.value)}
          onBlur={go}
        />
      </form>
      {choice.show === "around" && (
        <div className="graph-field">
          <label htmlFor={`${id}-depth`}>as far as</label>
          <select
            id={`${id}-depth`}
            className="input"
            value={choice.depth}
            onChange={(event) => onChoose({ depth: Number(event.currentTarget.value) })}
          >
            {[...new Set([...DEPTHS, choice.depth])]
              .sort((a, b) => a - b)
              .map((depth) => (
                <option key={depth} value={depth}>
                  {depth === 1 ? "1 edge" : `${depth} edges`}
                </option>
              ))}
          </select>
        </div>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a row of buttons */}
      <div className="graph-as" role="group" aria-label="How it is shown">
        {(["graph", "list"] as const).map((as) => (
          <button
            key={as}
            type="button"
            className="button"
            aria-pressed={choice.as === as}
            onClick={() => onChoose({ as })}
          >
            {as === "graph" ? "Drawn" : "List"}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}
