/** Short words on what came of something: shown for a while, and read out by screen readers. */
import { useSyncExternalStore } from "react";
import { Icon } from "./icon.tsx";

interface Toast {
  id: number;
  text: string;
  tone: "plain" | "bad";
}

const SHOWN_MS = 6_000;
let toasts: readonly Toast[] = [];
let said = "";
let lastId = 0;
const heard = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const hear of heard) hear();
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

/** Shows words and says them; bad news stay twice as long. */
export function notify(text: string, tone: Toast["tone"] = "plain"): void {
  const id = ++lastId;
  said = text;
  change([...toasts.slice(-2), { id, text, tone }]);
  setTimeout(() => dismiss(id), tone === "bad" ? SHOWN_MS * 2 : SHOWN_MS);
}

/** Says it to screen readers only: whoever looks has seen it happen. */
export function announce(text: string): void {
  said = text;
  change([...toasts]);
}

function onChange(hear: () => void): () => void {
  heard.add(hear);
  return () => heard.delete(hear);
}

export function Toasts() {
  const shown = useSyncExternalStore(onChange, () => toasts);
  return (
    <>
      <div className="visually-hidden" role="status" aria-live="polite" id="said">
        {said}
      </div>
      <div className="toasts">
        {shown.map(({ id, text, tone }) => (
          <div key={id} className="toast" data-tone={tone}>
            <p className="foreign">{text}</p>
            <button
              type="button"
              className="button"
              data-kind="plain"
              aria-label="Dismiss"
              onClick={() => dismiss(id)}
            >
              <Icon name="close" />
            </button>
          </div>
        ))}
      </div>
    </>
  );
}
