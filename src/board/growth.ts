/**
 * Whether there is room for anything new. Refusing early what brings more keeps the rest of the space for work that
 * stands to be finished: beats, completions, verdicts, moves.
 */
import { BOARD_MAX_BYTES } from "../contract/limits.ts";
import { type Refusal, refuse } from "../contract/result.ts";

/** The deployment's bound, or else ours; what is no number of bytes counts as not given. */
export function roomOf(env: Pick<Env, "EDGEBOARD_BOARD_MAX_BYTES">): number {
  const given = Number(env.EDGEBOARD_BOARD_MAX_BYTES ?? Number.NaN);
  return given > 0 ? Math.min(given, BOARD_MAX_BYTES) : BOARD_MAX_BYTES;
}

/** Null: there is room. Pages that were freed count as free, so what retention cuts makes room again. */
export function noRoom({ databaseSize }: Pick<SqlStorage, "databaseSize">, room: number): Refusal | null {
  if (databaseSize < room) return null;
  return refuse("board_full", "The board has no room for anything new; what stands can be finished.", {
    outcome: "nothing_changed",
    bytes: databaseSize,
    limit: room,
    hint: "Lower eventRetention, or put a part of the plan on another board.",
  });
}
