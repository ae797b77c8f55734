/** What of the board is looked at. It goes into the address as it is typed. */
import { useEffect, useId, useRef, useState } from "react";
import { type Filter, NO_FILTER, writeFilter } from "../room/filter.ts";
import { useRoom, useTopic } from "../room/room.tsx";

const TYPED_MS = 250;

interface FilterBarProps {
  filter: Filter;
  onFilter: (filter: Filter) => void;
}

export function FilterBar({ filter, onFilter }: FilterBarProps) {
  const active = writeFilter(filter) !== "";
  return (
    <search className="filters">
      <Typed
        label="Search"
        placeholder="Search tasks  /"
        value={filter.text}
        onValue={(text) => onFilter({ ...filter, text })}
        hotkey
      />
      <Typed
        label="Assignee"
        placeholder="Assignee"
        value={filter.assignee}
        onValue={(assignee) => onFilter({ ...filter, assignee })}
        suggest={(card) => (card.assigneeAgentId === null ? [] : [card.assigneeAgentId])}
      />
      <Typed
        label="Label"
        placeholder="Label"
        value={filter.label}
        onValue={(label) => onFilter({ ...filter, label })}
        suggest={(card) => card.labels}
      />
      <Toggle on={filter.ready} onTurn={(ready) => onFilter({ ...filter, ready })} text="Ready" />
      <Toggle on={filter.mine} onTurn={(mine) => onFilter({ ...filter, mine })} text="Mine" />
      {active && (
        <button type="button" className="button" data-kind="plain" onClick={() => onFilter(NO_FILTER)}>
          Clear
        </button>
      )}
    </search>
  );
}

function Toggle({ on, onTurn, text }: { on: boolean; onTurn: (on: boolean) => void; text: string }) {
  return (
    <button type="button" className="button toggle" aria-pressed={on} onClick={() => onTurn(!on)}>
      {text}
    </button>
  );
}

interface TypedProps {
  label: string;
  placeholder: string;
  value: string;
  onValue: (value: string) => void;
  /** The key `/` comes here. */
  hotkey?: boolean;
  /** Words to choose from, of the cards that are known. */
  suggest?: (card: { assigneeAgentId: string | null; labels: string[] }) => string[];
}

function Typed({ label, placeholder, value, onValue, hotkey = false, suggest }: TypedProps) {
  const [text, setText] = useState(value);
  const field = useId();
  const input = useRef<HTMLInputElement>(null);
  const waits = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (!hotkey) return;
    const press = (event: KeyboardEvent) => {
      const typing = (event.target as HTMLElement).closest("input, textarea, select, dialog") !== null;
      if (event.key !== "/" || typing) return;
      event.preventDefault();
      input.current?.focus();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [hotkey]);
  const type = (next: string) => {
    setText(next);
    clearTimeout(waits.current);
    waits.current = setTimeout(() => onValue(next.trim()), TYPED_MS);
  };
  return (
    <>
      <input
        ref={input}
        className="input"
        type="search"
        aria-label={label}
        placeholder={placeholder}
        value={text}
        list={suggest === undefined ? undefined : field}
        onInput={(event) => type(event.currentTarget.value)}
      />
      {suggest !== undefined && <Suggestions id={field} suggest={suggest} />}
    </>
  );
}

const SUGGESTED_MAX = 200;

function Suggestions({ id, suggest }: { id: string; suggest: NonNullable<TypedProps["suggest"]> }) {
  const { store } = useRoom();
  // They are read anew when the board moves; a change of one card is not worth it.
  useTopic("counts", () => store.counts);
  const words = [...new Set(store.cards().flatMap(suggest))].sort().slice(0, SUGGESTED_MAX);
  return (
    <datalist id={id}>
      {words.map((word) => (
        <option key={word} value={word} />
      ))}
    </datalist>
  );
}
