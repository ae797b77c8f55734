/** Light or dark: as the system says, until somebody says otherwise here. */
const KEY = "theme";

export function applyTheme(): void {
  const kept = localStorage.getItem(KEY);
  if (kept === "light" || kept === "dark") document.documentElement.dataset["theme"] = kept;
}

export function turnTheme(): void {
  const root = document.documentElement;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const next = (root.dataset["theme"] ?? (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
  root.dataset["theme"] = next;
  localStorage.setItem(KEY, next);
}
