/**
 * Readers that follow the board live. A socket's place in the log lies in its attachment, which survives when
 * the object sleeps; the log is the truth. So nothing is queued for a slow reader: it is sent no more until it
 * says that it has read, and goes on where it was.
 */

import * as limits from "../contract/limits.ts";
import { type LeaseBeat, type LiveMessage, receipt } from "../contract/live.ts";
import { type Refusal, refuse } from "../contract/result.ts";
import { type Caller, shareOf } from "../contract/roles.ts";
import { CLOSE, PING, PONG } from "../contract/socket.ts";
import type { LogBounds } from "../rules/retention.ts";
import { type Frame, Frames, progress } from "./live-frames.ts";
import type { Filter, NewReader } from "./operations/open-live.ts";
import { logBounds } from "./store/events.ts";
import type { Sql } from "./store/sql.ts";

/** Where a reader is, and who it is. At most 16 KB, so that it fits beside the socket. */
interface Reader {
  /** It has been told everything up to this seq. */
  told: number;
  /** It was sent a word that said so up to this seq; what came after was nothing that it asks for. */
  knows: number;
  filter: Filter;
  /** What was sent since its last receipt, by weight. */
  unread: number;
  /** The receipt it was asked for; those of `unread` that came after; and when. Null: none is due. */
  asked: { seq: number; sentSince: number; at: number } | null;
  token: NewReader["token"];
}

/** What sockets that are told of beats carry as a tag. */
const CARDS = "cards";

export class Sockets {
  readonly #state: DurableObjectState;
  readonly #sql: Sql;
  readonly #frames: Frames;

  constructor(state: DurableObjectState, sql: Sql) {
    this.#state = state;
    this.#sql = sql;
    this.#frames = new Frames(sql);
    // Answered by the platform: a ping wakes nobody.
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
  }

  /** Null: there is a place left, for everybody and for this token. */
  refusal(caller: Caller): Refusal | null {
    const whose = shareOf(caller);
    const own = whose === null ? 0 : this.#state.getWebSockets(whose).filter(isOpen).length;
    if (own >= limits.SOCKETS_PER_TOKEN_MAX)
      return noPlace(
        "As many sockets follow this board with this token as one may.",
        limits.SOCKETS_PER_TOKEN_MAX,
      );
    if (this.#open().length >= limits.SOCKETS_MAX)
      return noPlace("As many sockets follow this board as it serves at once.", limits.SOCKETS_MAX);
    return null;
  }

  /** The client's end. What the reader has missed is sent at once. */
  accept({ after, filter, token }: NewReader, now: number): WebSocket {
    const { 0: theirs, 1: ours } = new WebSocketPair();
    const log = logBounds(this.#sql);
    const from = after ?? log.last;
    const reader: Reader = { told: from, knows: from, filter, unread: 0, asked: null, token };
    // First: what cannot be kept beside the socket is refused before the socket is one of ours.
    ours.serializeAttachment(reader);
    const tags = [...(token.jti === null ? [] : [token.jti]), ...(filter.cards ? [CARDS] : [])];
    this.#state.acceptWebSocket(ours, tags);
    send(ours, JSON.stringify({ type: "hello", seq: log.last }));
    this.#tell(ours, reader, { log, window: this.#window(), skipsMax: 0, now });
    return theirs;
  }

  /** Tells everybody what is new to them. */
  tellAll(now: number): void {
    const sockets = this.#open();
    if (sockets.length === 0) return;
    const turn = {
      log: logBounds(this.#sql),
      window: windowOf(sockets.length),
      skipsMax: limits.SKIPS_MAX,
      now,
    };
    forEach(sockets, (socket) => this.#tell(socket, readerOf(socket), turn));
  }

  /**
   * Tells who shows cards which leases were proved alive: out of memory, and of no consequence where it is not heard,
   * since the next beat says it again. What has no room among the unread is left out.
   */
  tellBeats(beats: readonly LeaseBeat[], now: number): void {
    this.#frames.beaten();
    const sockets = this.#state.getWebSockets(CARDS).filter(isOpen);
    if (sockets.length === 0) return;
    const window = this.#window();
    const all = beatsText(beats);
    forEach(sockets, (socket) => {
      const reader = readerOf(socket);
      if (this.#isOver(socket, reader, now) || reader.unread >= window) return;
      const { taskId } = reader.filter;
      const text = taskId === null ? all : beatsText(beats.filter((beat) => beat.taskId === taskId));
      if (text === null) return;
      send(socket, text);
      reader.unread += text.length;
      if (reader.asked !== null) reader.asked.sentSince += text.length;
      // Beats ask for no receipt; where nothing else comes, a word that does makes room for more of them.
      else if (isReceiptDue(reader, window)) this.#send(socket, reader, progress(reader.told), window, now);
      socket.serializeAttachment(reader);
    });
  }

  /** A reader's receipt; anything else ends the conversation. */
  hear(socket: WebSocket, message: string | ArrayBuffer, now: number): void {
    if (socket.readyState !== WebSocket.OPEN) return;
    const said = readReceipt(message);
    if (said === null) {
      socket.close(CLOSE.unknownMessage, 'say {"type":"ack","seq":n} or ping');
      return;
    }
    const reader = readerOf(socket);
    if (reader.asked !== null && said >= reader.asked.seq) {
      reader.unread = reader.asked.sentSince;
      reader.asked = null;
    }
    this.#tell(socket, reader, { log: logBounds(this.#sql), window: this.#window(), skipsMax: 0, now });
  }

  /** A token's sockets end with it. */
  endToken(jti: string): void {
    for (const socket of this.#state.getWebSockets(jti)) socket.close(CLOSE.token, "the token was revoked");
  }

  get size(): number {
    return this.#open().length;
  }

  closeAll(): void {
    for (const socket of this.#state.getWebSockets()) socket.close(CLOSE.gone, "the board was deleted");
    this.#frames.forget();
  }

  /** Without those we have closed and whose answer is still to come. */
  #open(): WebSocket[] {
    return this.#state.getWebSockets().filter(isOpen);
  }

  #window(): number {
    return windowOf(this.#state.getWebSockets().length);
  }

  /** Whether what it was opened with has ended; then it ends too. */
  #isOver(socket: WebSocket, { token }: Reader, now: number): boolean {
    if (token.expiresAt === null || token.expiresAt > now) return false;
    socket.close(CLOSE.token, "the token has expired");
    return true;
  }

  #tell(socket: WebSocket, reader: Reader, { log, window, skipsMax, now }: Turn): void {
    if (this.#isOver(socket, reader, now)) return;
    // Who owes no receipt is sent at least what asks for one: else nothing would ever go on.
    while (reader.asked === null || reader.unread < window) {
      const frame = this.#frames.after(reader.told, reader.filter, log, now);
      if (frame === null) break;
      reader.told = frame.seq;
      this.#send(socket, reader, frame, window, now);
    }
    if (reader.told - reader.knows > skipsMax) this.#send(socket, reader, progress(reader.told), window, now);
    if (reader.asked !== null && now - reader.asked.at > limits.RECEIPT_WAIT_MS)
      socket.close(CLOSE.slow, `too slow: come back with after=${reader.asked.seq}`);
    else socket.serializeAttachment(reader);
  }

  #send(socket: WebSocket, reader: Reader, { text, weight }: Frame, window: number, now: number): void {
    if (text === null) return;
    reader.knows = reader.told;
    reader.unread += weight;
    const ask = isReceiptDue(reader, window) && weight > 0 && reader.asked === null;
    if (ask) reader.asked = { seq: reader.told, sentSince: 0, at: now };
    else if (reader.asked !== null) reader.asked.sentSince += weight;
    send(socket, ask ? `${text.slice(0, -1)},"ack":true}` : text);
  }
}

/** The change is made; a reader that cannot be told of it comes back, and takes nobody's answer along. */
function forEach(sockets: readonly WebSocket[], tell: (socket: WebSocket) => void): void {
  for (const socket of sockets)
    try {
      tell(socket);
    } catch (error) {
      console.error(JSON.stringify({ message: "a reader was not told", error: String(error) }));
      socket.close(CLOSE.failed, "come back with after");
    }
}

function noPlace(detail: string, limit: number): Refusal {
  const hint = "Read GET events with waitMs instead.";
  return refuse("board_overloaded", detail, { limit, outcome: "nothing_changed", hint });
}

/** What is the same for all who are told something in one turn. */
interface Turn {
  log: LogBounds;
  /** What may lie unread for each. */
  window: number;
  /** Who was skipped over more seqs than this is told how far it is. */
  skipsMax: number;
  now: number;
}

/** What all of them have not read lies in the object's memory: the more they are, the less for each. */
function windowOf(sockets: number): number {
  return Math.min(limits.UNREAD_MAX_CHARS, limits.UNREAD_ALL_MAX_CHARS / sockets);
}

function isReceiptDue({ unread }: Reader, window: number): boolean {
  return unread >= Math.min(limits.RECEIPT_CHARS, window / 2);
}

/** Null: none of them is for this reader. */
function beatsText(beats: readonly LeaseBeat[]): string | null {
  const message: LiveMessage = { type: "beats", beats: [...beats] };
  return beats.length === 0 ? null : JSON.stringify(message);
}

const isOpen = ({ readyState }: WebSocket) => readyState === WebSocket.OPEN;

function readerOf(socket: WebSocket): Reader {
  return socket.deserializeAttachment() as Reader;
}

function readReceipt(message: string | ArrayBuffer): number | null {
  if (typeof message !== "string" || message.length > limits.SOCKET_MESSAGE_MAX_CHARS) return null;
  try {
    return receipt.parse(JSON.parse(message)).seq;
  } catch {
    return null;
  }
}

/** A socket that has just gone takes nothing any more; its close is heard by itself. */
function send(socket: WebSocket, text: string): void {
  try {
    socket.send(text);
  } catch {}
}
