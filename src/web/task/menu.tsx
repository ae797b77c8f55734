/** A button that opens a short list of what can be done; the browser closes it, and gives the focus back. */
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from "react";

export interface MenuItem {
  name: string;
  show?: ReactNode;
  danger?: boolean;
  pick: () => void;
}

interface MenuProps {
  label: string;
  title?: string;
  className?: string;
  kind?: "plain";
  items: readonly MenuItem[];
  children: ReactNode;
}

export function Menu({ label, title, className = "", kind, items, children }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  const turned = (now: boolean) => {
    setOpen(now);
    if (!now || list.current === null || button.current === null) return;
    place(list.current, button.current);
    list.current.querySelector<HTMLElement>("[role=menuitem]")?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`button ${className}`}
        data-kind={kind}
        aria-label={label}
        title={title}
        aria-haspopup="menu"
        aria-expanded={open}
        popovertarget={id}
      >
        {children}
      </button>
      <div
        ref={list}
        id={id}
        className="task-menu"
        role="menu"
        aria-label={label}
        popover="auto"
        onToggle={(event) => turned((event as unknown as ToggleEvent).newState === "open")}
        onKeyDown={walk}
      >
        {items.map(({ name, show, danger, pick }) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            tabIndex={-1}
            data-danger={danger}
            onClick={() => {
              list.current?.hidePopover();
              button.current?.focus();
              pick();
            }}
          >
            {show ?? name}
          </button>
        ))}
      </div>
    </>
  );
}

/** Under its button, within the window. */
function place(list: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { width, height } = list.getBoundingClientRect();
  const below = at.bottom + 4 + height <= innerHeight;
  list.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
  list.style.top = `${below ? at.bottom + 4 : Math.max(8, at.top - 4 - height)}px`;
}

function walk(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=menuitem]")];
  const here = items.indexOf(document.activeElement as HTMLElement);
  const to = { ArrowDown: here + 1, ArrowUp: here - 1, Home: 0, End: items.length - 1 }[event.key];
  // A drawer below closes on Escape too: this one closes the menu alone.
  if (event.key === "Escape") event.stopPropagation();
  if (to === undefined) return;
  event.preventDefault();
  items[(to + items.length) % items.length]?.focus();
}
