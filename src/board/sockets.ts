/**
 * Readers that follow the board live. A socket's place in the log lies in its attachment, which survives when
 * the object sleeps; the log is the truth. So nothing is queued for a slow reader: it is sent no more until it
 * says that it has read, and goes on where it was.
 */

import * as limits from "../contract/limits.ts";
import { receipt } from "../contract/live.ts";
import { type Refusal, refuse } from "../contract/result.ts";
import { CLOSE, PING, PONG } from "../contract/socket.ts";
import { Frames } from "./live-frames.ts";
import type { Filter, NewReader } from "./operations/open-live.ts";
import { logBounds } from "./store/events.ts";
import type { Sql } from "./store/sql.ts";

/** Where a reader is, and who it is. At most 16 KB, so that it fits beside the socket. */
interface Reader {
  /** It has been told everything up to this seq. */
  told: number;
  filter: Filter;
  /** Characters sent since its last receipt. */
  unread: number;
  /** The receipt it was asked for; those of `unread` that came after; and when. Null: none is due. */
  asked: { seq: number; sentSince: number; at: number } | null;
  token: NewReader["token"];
}

export class Sockets {
  readonly #state: DurableObjectState;
  readonly #sql: Sql;

  constructor(state: DurableObjectState, sql: Sql) {
    this.#state = state;
    this.#sql = sql;
    // Answered by the platform: a ping wakes nobody.
    state.setWebSocketAutoResponse(new WebSocketRequestResponsePair(PING, PONG));
  }

  /** Null: as many follow the board as may. */
  refusal(): Refusal | null {
    if (this.#state.getWebSockets().length < limits.SOCKETS_MAX) return null;
    return refuse("board_overloaded", "As many sockets follow this board as it serves at once.", {
      limit: limits.SOCKETS_MAX,
      hint: "Read GET events with waitMs instead.",
    });
  }

  /** The client's end. What the reader has missed is sent at once. */
  accept({ after, filter, token }: NewReader, now: number): WebSocket {
    const pair = new WebSocketPair();
    this.#state.acceptWebSocket(pair[1], token.jti === null ? [] : [token.jti]);
    const { last } = logBounds(this.#sql);
    send(pair[1], JSON.stringify({ type: "hello", seq: last }));
    const reader: Reader = { told: after ?? last, filter, unread: 0, asked: null, token };
    this.#tell(pair[1], reader, new Frames(this.#sql), now);
    return pair[0];
  }

  /** Tells everybody what is new to them. */
  tellAll(now: number): void {
    const sockets = this.#state.getWebSockets();
    if (sockets.length === 0) return;
    const frames = new Frames(this.#sql);
    for (const socket of sockets) this.#tell(socket, readerOf(socket), frames, now);
  }

  /** A reader's receipt; anything else ends the conversation. */
  hear(socket: WebSocket, message: string | ArrayBuffer, now: number): void {
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
    this.#tell(socket, reader, new Frames(this.#sql), now);
  }

  /** A token's sockets end with it. */
  endToken(jti: string): void {
    for (const socket of this.#state.getWebSockets(jti)) socket.close(CLOSE.token, "the token was revoked");
  }

  closeAll(): void {
    for (const socket of this.#state.getWebSockets()) socket.close(CLOSE.gone, "the board was deleted");
  }

  #tell(socket: WebSocket, reader: Reader, frames: Frames, now: number): void {
    if (reader.token.expiresAt !== null && reader.token.expiresAt <= now) {
      socket.close(CLOSE.token, "the token has expired");
      return;
    }
    while (reader.unread < limits.UNREAD_MAX_CHARS) {
      const frame = frames.after(reader.told, reader.filter);
      if (frame === null) break;
      reader.told = frame.seq;
      if (frame.text !== null) this.#send(socket, reader, frame.text, now);
    }
    if (reader.asked !== null && now - reader.asked.at > limits.RECEIPT_WAIT_MS)
      socket.close(CLOSE.slow, `too slow: come back with after=${reader.asked.seq}`);
    else socket.serializeAttachment(reader);
  }

  #send(socket: WebSocket, reader: Reader, text: string, now: number): void {
    reader.unread += text.length;
    const ask = reader.asked === null && reader.unread >= limits.RECEIPT_CHARS;
    if (ask) reader.asked = { seq: reader.told, sentSince: 0, at: now };
    else if (reader.asked !== null) reader.asked.sentSince += text.length;
    send(socket, ask ? `${text.slice(0, -1)},"ack":true}` : text);
  }
}

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
