/** What a socket says besides its messages. It stands apart from their schemas, so that a reader need not load those. */
export const PING = "ping";
export const PONG = "pong";

/** Why a socket was closed, by its close code. After the first two, and any other: come back with `after`. */
export const CLOSE = {
  /** Something went wrong here. */
  failed: 1011,
  /** What was sent lay unread too long. */
  slow: 4408,
  /** Something else than a receipt was said. */
  unknownMessage: 4400,
  /** The token was revoked, or it has expired. */
  token: 4401,
  /** The board is gone. */
  gone: 4404,
} as const;
