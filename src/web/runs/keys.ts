/** Keys that are meant for the page, and not for a field, a button or a dialog over it. */
export function isPlainKey(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  if (document.querySelector("dialog[open]") !== null) return false;
  const { target } = event;
  if (!(target instanceof Element)) return true;
  if (target.closest("input, textarea, select, [contenteditable]") !== null) return false;
  // Enter is theirs wherever something stands that it opens or presses, but for the bars themselves.
  return event.key !== "Enter" || target.closest("a, button:not(.runs-bar), summary") === null;
}
