/**
 * Follows a board: every change once and in order, whatever becomes of the connection. Over a socket while one can
 * be had, by long polls while not; after each end it goes on where it was.
 */
import type { ToldCards } from "../contract/answers.ts";
import type { BoardEvent, EventKind } from "../contract/events.ts";
import type { LeaseBeat } from "../contract/live.ts";
import { pollEvents } from "./live-poll.ts";
import { openSocket, type SocketLike } from "./live-socket.ts";
import { backoff, pause } from "./pause.ts";

/** `catching_up`: connected, and still being told what was missed. */
export type LiveState = "connecting" | "catching_up" | "live" | "offline" | "ended";

/** Cards and counts, true at the seq `asOf`. */
export type Told = Omit<ToldCards, "cardsCut">;

/** What both ways of following bring. */
export interface Page extends Partial<ToldCards> {
  events: BoardEvent[];
}

export interface FollowOptions {
  /** Where Edgeboard is, such as `https://board.example`. */
  url: string;
  board: string;
  /** Without one, the browser's session. */
  token?: string;
  /** The seq to go on from: a snapshot's, or that of the last event applied. */
  after: number;
  taskId?: string;
  kinds?: EventKind[];
  /** Asks for what stands of the tasks that events tell of, and for beats. */
  cards?: boolean;
  /**
   * Applies events; `seq` is how far they go. The next ones come when its promise is done. What it throws ends all.
   * `told` comes with `cards`: each card takes the place of an older one, the counts that of older counts.
   */
  onEvents: (events: BoardEvent[], seq: number, told: Told | null) => void | Promise<void>;
  /** With `cards`, over sockets: leases that were proved alive. Not every beat is told; the next one says as much. */
  onBeats?: (beats: LeaseBeat[]) => void | Promise<void>;
  /**
   * The log does not reach back any more, or with `cards` more changed at once than is told: reads the board anew and
   * answers the seq it is true at, which is not below the one it is given. Where that fails, it is tried again later,
   * like a connection.
   */
  onResync: (seq: number) => number | Promise<number>;
  onState?: (state: LiveState) => void;
  signal?: AbortSignal;
  fetch?: typeof fetch;
  /** How a socket is opened; the platform's own by default. */
  connect?: (url: string, headers: Record<string, string>) => SocketLike | Promise<SocketLike>;
}

/** Why following ended: `aborted` by the caller, or for good by the server. */
export type FollowEnd = "aborted" | "unauthorized" | "gone";

/** Sockets that fail this often in a row are given up for a while. */
const SOCKET_TRIES = 2;
const POLL_MS = 60_000;
/** A socket that stood this long was a good one, also where nothing happened. */
const STOOD_MS = 10_000;

export async function follow(options: FollowOptions): Promise<FollowEnd> {
  const reader = new Reader(options);
  try {
    return await reader.run();
  } finally {
    reader.tell("ended");
  }
}

/** What both ways of following share: the place in the log, and how it is moved. */
export class Reader {
  readonly options: FollowOptions;
  /** Everything up to here is applied. */
  seq: number;
  state: LiveState = "connecting";

  constructor(options: FollowOptions) {
    this.options = options;
    this.seq = options.after;
  }

  get aborted(): boolean {
    return this.options.signal?.aborted === true;
  }

  async run(): Promise<FollowEnd> {
    let failures = 0;
    let socketFailures = 0;
    this.options.onState?.(this.state);
    while (!this.aborted) {
      const from = { seq: this.seq, at: Date.now() };
      const polls = socketFailures === SOCKET_TRIES;
      const end = polls ? await pollEvents(this, this.#forAWhile()) : await openSocket(this);
      if (end === "unauthorized" || end === "gone") return end;
      if (end === "again") {
        failures = 0;
        socketFailures = SOCKET_TRIES - 1;
        continue;
      }
      const good = end === "dropped" && (this.seq !== from.seq || Date.now() - from.at >= STOOD_MS);
      // Where a poll fails, it is not the sockets' fault.
      socketFailures = good || polls ? 0 : socketFailures + 1;
      if (socketFailures === SOCKET_TRIES) continue;
      failures = good ? 1 : failures + 1;
      this.tell("offline");
      await pause(backoff(failures), this.options.signal);
    }
    return "aborted";
  }

  #forAWhile(): AbortSignal {
    const { signal } = this.options;
    const over = AbortSignal.timeout(POLL_MS);
    return signal === undefined ? over : AbortSignal.any([signal, over]);
  }

  tell(state: LiveState): void {
    if (state === this.state) return;
    this.state = state;
    this.options.onState?.(state);
  }

  /**
   * Those that were applied before are left out: a frame may come twice, a change never does. False: it was too much
   * for one frame, and reading the board anew has failed.
   */
  async apply(page: Page, seq: number): Promise<boolean> {
    const fresh = page.events.filter((event) => event.seq > this.seq);
    if (fresh.length > 0 && page.cardsCut === true) return this.resync(seq);
    if (fresh.length > 0) await this.options.onEvents(fresh, seq, toldWith(page));
    this.seq = Math.max(this.seq, seq);
    return true;
  }

  /** Whether it came about. */
  async resync(atLeast: number): Promise<boolean> {
    try {
      const seq = await this.options.onResync(atLeast);
      if (!(seq >= atLeast)) return false;
      this.seq = seq;
      return true;
    } catch {
      return false;
    }
  }
}

function toldWith({ cards, counts, asOf }: Page): Told | null {
  return cards === undefined || counts === undefined || asOf === undefined ? null : { cards, counts, asOf };
}
