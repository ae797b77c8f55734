/** Tasks that were gone to from here, newest first; for as long as this tab is open. */
import type { Named } from "./entries.ts";

const KEPT = 6;

export function recentTasks(board: string): Named[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(board)) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isNamed) : [];
  } catch {
    return [];
  }
}

export function remember(board: string, { number, title }: Named): void {
  const others = recentTasks(board).filter((task) => task.number !== number);
  const kept = [{ number, title }, ...others].slice(0, KEPT);
  sessionStorage.setItem(keyOf(board), JSON.stringify(kept));
}

const keyOf = (board: string) => `recent:${board}`;

function isNamed(value: unknown): value is Named {
  const { number, title } = (value ?? {}) as Partial<Named>;
  return typeof number === "number" && typeof title === "string";
}
