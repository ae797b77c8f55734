/** Everything by a few letters: a task, a page, a move of the task one is at, a filter. */
import { useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter-preact";
import { moveTask } from "../room/moves.ts";
import { useRoom } from "../room/room.tsx";
import { signOut } from "../session/session.ts";
import { turnTheme } from "../shell/theme.ts";
import { Icon } from "../ui/icon.tsx";
import { errorText } from "../ui/problem.ts";
import { StatusShape } from "../ui/status.tsx";
import { taskPath } from "../ui/task-link.tsx";
import { notify } from "../ui/toasts.tsx";
import { type Act, commandEntries, type Entry, taskEntry } from "./entries.ts";
import { useFoundTasks } from "./find-tasks.ts";
import { fits } from "./query.ts";
import { recentTasks, remember } from "./recent.ts";
import { taskAtHand } from "./task-at-hand.ts";

export default function Palette({ onClose }: { onClose: () => void }) {
  const room = useRoom();
  const [path] = useLocation();
  const act = useAct();
  const [said, setSaid] = useState("");
  const [at, setAt] = useState(0);
  const dialog = useRef<HTMLDialogElement>(null);
  const ids = useId();
  // What had the focus when it was opened says which task is meant; afterwards the field has it.
  const [hand] = useState(() => taskAtHand(room.store, path, document.activeElement));
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  const query = said.trim();
  const found = useFoundTasks(query);
  const commands = commandEntries(room, hand);
  const recent = recentTasks(room.id).map((task) => taskEntry(task, "Recent"));
  const entries =
    query === ""
      ? [...recent, ...commands]
      : [...found.entries, ...commands.filter(({ label }) => fits(label, query))];
  const chosen = Math.min(at, entries.length - 1);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [chosen, query]);
  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    act(entry.act);
  };
  const press = (event: React.KeyboardEvent<HTMLInputElement>) => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined && entries.length > 0) setAt((chosen + step + entries.length) % entries.length);
    else if (event.key === "Enter") run(entries[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it by itself
    <dialog
      ref={dialog}
      className="dialog palette"
      aria-label="Go to, move, filter"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="palette-field">
        <Icon name="search" />
        <input
          role="combobox"
          aria-label="A task, a page or a command"
          aria-expanded="true"
          aria-controls={`${ids}-list`}
          aria-autocomplete="list"
          aria-activedescendant={entries.length === 0 ? undefined : `${ids}-${chosen}`}
          placeholder="A task by its number or words, a page, a command"
          autoComplete="off"
          value={said}
          onInput={(event) => {
            setSaid(event.currentTarget.value);
            setAt(0);
          }}
          onKeyDown={press}
        />
      </div>
      <Options entries={entries} chosen={chosen} ids={ids} onPoint={setAt} onChoose={run} />
      <p className="palette-none soft" role="status">
        {entries.length === 0 && (found.busy ? "Searching …" : "Nothing fits.")}
      </p>
    </dialog>
  );
}

interface OptionsProps {
  entries: readonly Entry[];
  chosen: number;
  ids: string;
  onPoint: (index: number) => void;
  onChoose: (entry: Entry) => void;
}

function Options({ entries, chosen, ids, onPoint, onChoose }: OptionsProps) {
  const groups = [...Map.groupBy(entries.entries(), ([, { group }]) => group)];
  return (
    <div className="palette-list" role="listbox" id={`${ids}-list`} aria-label="What fits">
      {groups.map(([name, members]) => (
        // biome-ignore lint/a11y/useSemanticElements: it is a group of options, not of fields
        <div key={name} role="group" aria-label={name}>
          <div className="palette-group foreign" aria-hidden="true">
            {name}
          </div>
          {members.map(([index, entry]) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
            <div
              key={entry.key}
              id={`${ids}-${index}`}
              className="palette-option"
              role="option"
              aria-selected={index === chosen}
              onPointerMove={() => onPoint(index)}
              onClick={() => onChoose(entry)}
            >
              {entry.status !== undefined && (
                <span className="status" data-status={entry.status}>
                  <StatusShape status={entry.status} />
                </span>
              )}
              {entry.icon !== undefined && <Icon name={entry.icon} />}
              <bdi className="foreign">{entry.label}</bdi>
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

/** Does what was chosen, once the palette is closed. */
function useAct(): (act: Act) => void {
  const { id, board, store } = useRoom();
  const [, go] = useLocation();
  return (act) => {
    switch (act.does) {
      case "go":
        return go(act.path);
      case "open":
        remember(id, act);
        return go(taskPath(id, act.number));
      case "move":
        void moveTask(board, store, act.card.id, act.to).then((moved) => {
          if (moved !== "gated") return;
          notify(
            `n${act.card.number} is held back by what it waits for or by its verdict: see there.`,
            "bad",
          );
          go(taskPath(id, act.card.number));
        });
        return;
      case "theme":
        return turnTheme();
      case "keys":
        // As if it were pressed: the page listens for it.
        dispatchEvent(new KeyboardEvent("keydown", { key: "?" }));
        return;
      case "out":
        signOut().catch((error) => notify(errorText(error), "bad"));
    }
  };
}
