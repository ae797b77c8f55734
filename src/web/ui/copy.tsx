/** A text to take along, and the button that does it. */
import { useState } from "react";
import { Icon } from "./icon.tsx";

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setDone(true);
    setTimeout(() => setDone(false), 1_500);
  };
  return (
    <button type="button" className="button" onClick={() => void copy()}>
      <Icon name="copy" />
      {done ? "Copied" : label}
    </button>
  );
}
