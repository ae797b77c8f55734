import type { ClaimNext, Claims } from "../../board/operations/claim-next.ts";
import type { Call, Reply } from "../../board/replay.ts";
import type { BoardStub } from "../../board/stub.ts";
import { LIST_DEFAULT } from "../../contract/limits.ts";
import * as routes from "../../contract/routes/claims.ts";
import { answer, handle } from "../mount.ts";
import { problemBody } from "../problem.ts";
import { readLease, withLeaseToken } from "../tokens.ts";
import { badCursor, readNumber } from "./tasks.ts";

export const claims = [
  handle(routes.claimTask, async ({ env, board, call, params, body }) => {
    const claimed = await board.claimTask(call, { id: params.id, ...body });
    if (!claimed.ok) return claimed;
    const grant = await withLeaseToken(env, claimed.value);
    return answer(claimed, 200, () => grant);
  }),

  handle(routes.claimNext, async ({ env, board, call, body, signal }) => {
    const { waitMs, ...input } = body;
    const claimed = await claimOrWait(board, call, input, waitMs, signal);
    if (!claimed.ok) return claimed;
    const { seq: _seq, ...rest } = claimed.value;
    const granted = await Promise.all(claimed.value.claims.map((grant) => withLeaseToken(env, grant)));
    return answer(claimed, 200, () => ({ ...rest, claims: granted }));
  }),

  handle(routes.heartbeat, async ({ env, board, call, params, body }) =>
    answer(
      await board.heartbeat(call, {
        id: params.id,
        lease: await readLease(env, body.leaseToken),
        progress: body.progress,
        usage: body.usage,
      }),
    ),
  ),

  handle(routes.heartbeats, async ({ env, board, call, body, requestId }) => {
    const beats = await Promise.all(
      body.leases.map(async ({ taskId, leaseToken, usage }) => ({
        taskId,
        lease: await readLease(env, leaseToken),
        usage,
      })),
    );
    return answer(await board.heartbeats(call, beats), 200, ({ results }) => ({
      results: results.map((result, index) => {
        const taskId = beats[index]?.taskId;
        return result.ok ? { taskId, ...result } : { taskId, ok: false, ...problemBody(result, requestId) };
      }),
    }));
  }),

  handle(routes.completeTask, async ({ env, board, call, params, body }) => {
    const { leaseToken, ...word } = body;
    return answer(
      await board.completeTask(call, { id: params.id, lease: await readLease(env, leaseToken), ...word }),
    );
  }),

  handle(routes.releaseTask, async ({ env, board, call, params, body }) => {
    const { leaseToken, ...word } = body;
    return answer(
      await board.releaseTask(call, { id: params.id, lease: await readLease(env, leaseToken), ...word }),
    );
  }),

  handle(routes.startExecution, async ({ env, board, call, params, body }) => {
    const started = await board.startExecution(call, { id: params.id, ...body });
    if (!started.ok) return started;
    const grant = await withLeaseToken(env, started.value);
    return answer(started, 201, () => grant);
  }),

  handle(routes.listExecutions, async ({ board, call, params, query }) => {
    const after = readNumber(query.cursor);
    if (after === null) return badCursor();
    // Epochs begin at 1, so nothing is left out.
    return answer(
      await board.listExecutions(call, { id: params.id, after, limit: query.limit ?? LIST_DEFAULT }),
    );
  }),
];

/**
 * Waiting hands out nothing: the board only says that there may be work, and the claim is made here, when the
 * client is still there to take it.
 */
async function claimOrWait(
  board: BoardStub,
  call: Call,
  input: ClaimNext,
  waitMs: number,
  signal: AbortSignal,
): Promise<Reply<Claims>> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const claimed = await board.claimNext(call, input);
    const left = deadline - Date.now();
    if (!claimed.ok || claimed.value.claims.length > 0 || left <= 0) return claimed;
    const waited = await board.waitForWork(call, { sinceSeq: claimed.value.seq, waitMs: left });
    if (!waited.ok) return waited;
    if (waited.value.outcome !== "woken" || signal.aborted) return claimed;
  }
}
