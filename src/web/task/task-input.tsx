/** Names a task: by its number, or by what its title says, of those that this page knows. */
import { useEffect, useId, useMemo, useRef } from "react";
import { useRoom } from "../room/room.tsx";

const OFFERED = 12;

interface TaskInputProps {
  id: string;
  value: string;
  onChange: (value: string) => void;
  required?: boolean;
  autoFocus?: boolean;
}

export function TaskInput({ id, value, onChange, required = false, autoFocus = false }: TaskInputProps) {
  const { store } = useRoom();
  const listed = useId();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (autoFocus) input.current?.focus();
  }, [autoFocus]);
  const offered = useMemo(() => {
    const words = value.trim().toLowerCase();
    if (words === "") return [];
    return store
      .cards()
      .filter(({ number, title }) => `n${number} ${title.toLowerCase()}`.includes(words))
      .slice(0, OFFERED);
  }, [store, value]);
  return (
    <>
      <input
        ref={input}
        id={id}
        className="input"
        list={listed}
        autoComplete="off"
        spellcheck={false}
        placeholder="n12"
        required={required}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={listed}>
        {offered.map(({ number, title }) => (
          <option key={number} value={`n${number}`}>
            {title}
          </option>
        ))}
      </datalist>
    </>
  );
}
