import type { Call } from "../board/replay.ts";
import { operationKey } from "../http/operation-key.ts";
import type { Session } from "./session.ts";

/** Who calls, and what makes a repeat of it one: the same tool, the same key, the same arguments. */
export async function keyedCall(
  { caller }: Session,
  tool: string,
  asked: { client_key?: string | undefined },
): Promise<Call> {
  if (asked.client_key === undefined) return { caller };
  return { caller, key: await operationKey(tool, asked.client_key, JSON.stringify(asked)) };
}
