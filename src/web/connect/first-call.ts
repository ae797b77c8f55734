/** Waits until a token is used for the first time. No event tells of it, so the board is asked. */
import type { Board } from "../../client/board.ts";
import { LIST_MAX } from "../../contract/limits.ts";

const AGAIN_MS = 2_000;

/** When that was; null once the signal is aborted. */
export async function firstCall(board: Board, tokenId: string, signal: AbortSignal): Promise<number | null> {
  // The list is by age, and a new token stands on its last page: from then on only that page is read.
  let cursor: string | undefined;
  while (!signal.aborted) {
    try {
      const page = await board.listTokens(
        { limit: LIST_MAX, ...(cursor === undefined ? {} : { cursor }) },
        { signal },
      );
      const used = page.tokens.find(({ id }) => id === tokenId)?.lastUsedAt ?? null;
      if (used !== null) return used;
      if (page.nextCursor !== null) {
        cursor = page.nextCursor;
        continue;
      }
    } catch {
      // Unreachable, or refused for a while: whoever waits goes on waiting.
    }
    await pause(AGAIN_MS, signal);
  }
  return null;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
