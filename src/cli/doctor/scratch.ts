/** A board of our own for as long as the checks take, whatever becomes of them. */
import { newKey } from "../../client/clock.ts";
import { Unreachable } from "../../client/errors.ts";
import { pause } from "../../client/pause.ts";
import type { Reason } from "../../contract/reasons.ts";
import type { Hands } from "./check.ts";
import { failed, good, type Verdict } from "./verdict.ts";
import { refusalOf, type Within } from "./within.ts";

const NAME = "Scratch board of edgeboard doctor";
const DELETE_TRIES = 3;
const AGAIN_MS = 1_000;

export const newScratchId = (): string => `doctor-${newKey().slice(0, 12)}`;

/** The board and a token for each who works on it. */
export async function makeScratch(operator: Within, id: string): Promise<Hands<string>> {
  const { token: lead } = await operator.createBoard({ id, name: NAME });
  const mint = async (agentId: string) =>
    (await operator.board(id).mintToken({ agentId, role: "worker" })).token;
  return { lead, ann: await mint("doctor-ann"), ben: await mint("doctor-ben") };
}

/** Where nobody knows whether it was made (`tokens` is null), that may still be under way: it is asked for again. */
export async function deleteScratch(
  operator: Within,
  { id, tokens }: { id: string; tokens: Hands<string> | null },
  signal: AbortSignal,
): Promise<Verdict> {
  const board = operator.board(id);
  for (let tries = 1; tries <= DELETE_TRIES; tries++) {
    const refusal = await outcomeOf(board.delete(id));
    if (refusal === null || (refusal === "board_not_found" && tokens !== null)) break;
    if (refusal !== "board_not_found" && refusal !== UNKNOWN) return left(id, refusal);
    await pause(AGAIN_MS, signal);
  }
  const refusal = await outcomeOf(board.get());
  if (refusal !== "board_not_found") return left(id, refusal ?? "it still answers");
  return good(`The scratch board ${id} is deleted, and nothing of it is left.`);
}

const UNKNOWN = "there was no answer";

async function outcomeOf(call: Promise<unknown>): Promise<Reason | typeof UNKNOWN | null> {
  try {
    return await refusalOf(call);
  } catch (error) {
    if (error instanceof Unreachable) return UNKNOWN;
    throw error;
  }
}

const left = (id: string, why: string): Verdict =>
  failed(
    `The scratch board ${id} could not be deleted: ${why}.`,
    `\`edgeboard board delete ${id}\` does it.`,
  );
