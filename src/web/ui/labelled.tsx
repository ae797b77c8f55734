/** A field under its name, with a hint where the name does not say enough. */
import { type ReactNode, useId } from "react";

interface LabelledProps {
  name: string;
  hint?: string;
  children: (id: string) => ReactNode;
}

export function Labelled({ name, hint, children }: LabelledProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>
        {name}
        {hint !== undefined && <span className="hint"> · {hint}</span>}
      </label>
      {children(id)}
    </div>
  );
}
