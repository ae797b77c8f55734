/** The same events without a socket: one long poll after the other. */
import { BASE } from "../contract/route.ts";
import type { Page, Reader } from "./live.ts";
import type { SocketEnd } from "./live-socket.ts";
import { backoff, pause } from "./pause.ts";

const WAIT_MS = 25_000;

/** Until the signal says that a socket is worth another try, or something fails. */
export async function pollEvents(reader: Reader, signal: AbortSignal): Promise<SocketEnd> {
  const { token, fetch: send = fetch } = reader.options;
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  while (!signal.aborted) {
    const asked = reader.seq;
    const waits = reader.state === "live";
    const askedAt = Date.now();
    let response: Response;
    let answer: Page & { nextCursor: string | null; seq: number; oldestSeq?: number };
    try {
      response = await send(pageUrl(reader, waits), { headers, signal });
      answer = await response.json();
    } catch {
      return signal.aborted ? "again" : "failed";
    }
    if (response.status === 401 || response.status === 403) return "unauthorized";
    if (response.status === 404) return "gone";
    if (response.status !== 410 && !response.ok) return "failed";
    // A board that was made anew begins again.
    if (response.status === 410 || answer.seq < asked) {
      if (!(await reader.resync(answer.oldestSeq ?? answer.seq))) return "failed";
    } else {
      const upTo = answer.nextCursor === null ? answer.seq : Number(answer.nextCursor);
      if (!(await reader.apply(answer, upTo))) return "failed";
      reader.tell(answer.nextCursor === null ? "live" : "catching_up");
      // Nothing, and at once, where it was to wait: more readers do than the board lets wait.
      if (waits && answer.nextCursor === null && answer.events.length === 0 && Date.now() - askedAt < 1_000)
        await pause(backoff(2), signal);
    }
  }
  return "again";
}

function pageUrl({ options, seq }: Reader, waits: boolean): string {
  const url = new URL(`${options.url}${BASE}/boards/${options.board}/events`);
  url.searchParams.set("after", String(seq));
  // Until it is known where the log stands, an answer that says so is not held back.
  url.searchParams.set("waitMs", String(waits ? WAIT_MS : 0));
  url.searchParams.set("limit", "200");
  if (options.taskId !== undefined) url.searchParams.set("taskId", options.taskId);
  for (const kind of options.kinds ?? []) url.searchParams.append("kind", kind);
  if (options.cards === true) url.searchParams.set("cards", "true");
  return url.href;
}
