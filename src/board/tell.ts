/** What the log says of a board: one JSON object a line, and never the board's id. */

/** Twelve digits tell boards apart; the whole digest would say no more. */
const TAG_DIGITS = 12;

/**
 * The board in the log. Its id is often the name of a project or a customer, and logs go where boards do not. Whoever
 * knows the id finds its lines: `printf %s <id> | sha256sum | cut -c1-12`.
 */
export async function boardTag(boardId: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(boardId));
  const bytes = new Uint8Array(digest).subarray(0, TAG_DIGITS / 2);
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A line about a board's own doing. */
export async function tell(
  level: "log" | "warn" | "error",
  message: string,
  boardId: string,
  facts: Record<string, unknown>,
): Promise<void> {
  console[level](JSON.stringify({ message, board: await boardTag(boardId), ...facts }));
}
