/**
 * A board's beginning and end, which span two objects. The directory reserves, the board is made, the
 * directory lists it; and the other way round at the end. Each step can be repeated, so whatever a crash
 * leaves half done, the next listing finishes or rolls back.
 */

import type { Meter } from "../board/meter.ts";
import type { CreatedBoard } from "../board/operations/create-board.ts";
import { boardStub, canHold } from "../board/stub.ts";
import { tell } from "../board/tell.ts";
import { DIRECTORY_SETTLE_MS } from "../contract/limits.ts";
import { accept, type Result, refuse } from "../contract/result.ts";
import type { SettingsChange } from "../contract/settings.ts";
import type { BoardEntry, Reservation } from "./store.ts";

export interface NewBoard {
  id: string;
  name: string;
  settings: SettingsChange;
  locationHint: DurableObjectLocationHint | null;
  operationId: string;
  key: Reservation["key"];
}

export interface MadeBoard extends CreatedBoard {
  replayed: boolean;
}

export function directoryStub(env: Env) {
  return env.DIRECTORY.getByName("directory");
}

export async function createBoard(env: Env, input: NewBoard, meter?: Meter): Promise<Result<MadeBoard>> {
  if (!canHold(env, input.id))
    return refuse(
      "invalid_request",
      "This runtime has no jurisdictions: a board may be anywhere or nowhere.",
      {
        issues: [{ path: "jurisdiction", message: "is not to be had here" }],
      },
    );
  const directory = directoryStub(env);
  const reserved = await directory.reserve({
    id: input.id,
    name: input.name,
    operationId: input.operationId,
    locationHint: input.locationHint,
    key: input.key,
  });
  if (reserved.outcome === "board_exists") return refuse("board_exists", "A board of this id exists.");
  if (reserved.outcome === "idempotency_mismatch")
    return refuse("idempotency_mismatch", "This idempotency key was used with another body.", {
      hint: "Use a new key for a new request.",
    });
  const { id, operationId } = reserved;
  const made = await boardStub(env, id, meter, input.locationHint ?? undefined).createBoard({
    id,
    name: input.name,
    settings: input.settings,
    operationId,
  });
  if (!made.ok) {
    await directory.forget({ id, operationId });
    return made;
  }
  await directory.activate({ id, operationId, name: input.name });
  return accept({ ...made.value, replayed: reserved.replayed });
}

export async function deleteBoard(env: Env, id: string): Promise<Result<null>> {
  const directory = directoryStub(env);
  if (!(await directory.markDeleting(id))) return refuse("board_not_found", "There is no such board.");
  await boardStub(env, id).destroyBoard();
  await directory.forget({ id, operationId: null });
  return accept(null);
}

/** Finishes deletions and rolls back creations that were left half done. */
export async function settleHalfDone(env: Env, now: number): Promise<void> {
  const directory = directoryStub(env);
  for (const entry of await directory.halfDone(now - DIRECTORY_SETTLE_MS)) await settleOne(env, entry);
}

/** One that cannot be reached now is settled another time, and keeps nobody from the list. */
async function settleOne(env: Env, entry: BoardEntry): Promise<void> {
  try {
    await settle(env, entry);
  } catch (error) {
    await tell("warn", "not settled", entry.id, { error: String(error) });
  }
}

async function settle(env: Env, entry: BoardEntry): Promise<void> {
  const directory = directoryStub(env);
  const board = boardStub(env, entry.id);
  if (entry.state === "creating" && (await board.isMadeBy(entry.operationId))) {
    await directory.activate({ id: entry.id, operationId: entry.operationId, name: entry.name });
    return;
  }
  if (entry.state === "deleting") await board.destroyBoard();
  await directory.forget({ id: entry.id, operationId: entry.operationId });
}
