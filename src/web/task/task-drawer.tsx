/** A task over its board, which stays in sight and in use. */
import { useEffect, useRef, useState } from "react";
import { useBoard, useRoom } from "../room/room.tsx";
import { useTitle } from "../shell/page.tsx";
import { Ask } from "../ui/ask.tsx";
import { Icon } from "../ui/icon.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { TitleLevel } from "./section.tsx";
import { TaskView } from "./task-view.tsx";
import { hasUnsaved } from "./unsaved.ts";
import { useTask } from "./use-task.ts";

export default function TaskDrawer({ name, onClose }: { name: string; onClose: () => void }) {
  const { id } = useRoom();
  const board = useBoard()?.name ?? id;
  const resource = useTask(name);
  const task = resource.value?.task;
  const drawer = useRef<HTMLDivElement>(null);
  const [asking, setAsking] = useState(false);
  useTitle(`${task === undefined ? name : `n${task.number} ${task.title}`} · ${board}`);

  useEffect(() => {
    const before = document.activeElement;
    const own = drawer.current;
    own?.focus({ preventScroll: true });
    return () => {
      // Whoever went on working on the board keeps the place they are at.
      const now = document.activeElement;
      const goes = now === null || now === document.body || own?.contains(now) === true;
      if (goes && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);

  const close = () => (hasUnsaved() ? setAsking(true) : onClose());
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented && !isBusy(event.target)) latest.current();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);

  return (
    <TitleLevel.Provider value={2}>
      <div
        ref={drawer}
        className="task-drawer"
        role="dialog"
        aria-label={task === undefined ? name : `n${task.number} ${task.title}`}
        tabIndex={-1}
      >
        {resource.value === null && <CloseButton onClick={close} />}
        <Loaded resource={resource}>
          {(detail) => (
            <TaskView shown={{ detail, reload: resource.reload }} end={<CloseButton onClick={close} />} />
          )}
        </Loaded>
      </div>
      {asking && (
        <Ask
          title="Leave without saving?"
          action="Leave"
          danger
          onAnswer={async () => onClose()}
          onClose={() => setAsking(false)}
        >
          <p>What you have written here would be lost.</p>
        </Ask>
      )}
    </TitleLevel.Provider>
  );
}

function CloseButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      className="button task-close"
      data-kind="plain"
      aria-label="Close"
      title="Close"
      onClick={onClick}
    >
      <Icon name="close" />
    </button>
  );
}

/** Escape belongs to a field that is written in, and to whatever lies over the drawer. */
function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector("dialog[open], [popover]:popover-open") !== null) return true;
  return target instanceof HTMLElement && target.closest("input, textarea, select, [role=menu]") !== null;
}
