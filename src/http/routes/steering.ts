import { LIST_DEFAULT } from "../../contract/limits.ts";
import * as routes from "../../contract/routes/steering.ts";
import { answer, handle } from "../mount.ts";
import { readLease } from "../tokens.ts";

export const steering = [
  handle(routes.stopTask, async ({ board, call, params, body }) =>
    answer(await board.stopTask(call, { id: params.id, ...body })),
  ),

  handle(routes.requestChanges, async ({ board, call, params, body }) =>
    answer(await board.requestChanges(call, { id: params.id, ...body })),
  ),

  handle(routes.reconcile, async ({ board, call, body }) => answer(await board.reconcile(call, body))),

  handle(routes.closeExecution, async ({ env, board, call, params, body }) => {
    const { leaseToken, ...word } = body;
    const lease = await readLease(env, leaseToken);
    return answer(await board.closeExecution(call, { id: params.id, lease, ...word }));
  }),

  handle(routes.listRuns, async ({ board, call, query }) => {
    return answer(
      await board.listRuns(call, {
        agentId: query.agentId ?? null,
        status: query.status ?? null,
        before: query.cursor ?? null,
        limit: query.limit ?? LIST_DEFAULT,
      }),
    );
  }),

  handle(routes.createWorkspace, async ({ env, board, call, params, body }) => {
    const { leaseToken, ...place } = body;
    const lease = await readLease(env, leaseToken);
    return answer(await board.createWorkspace(call, { id: params.id, lease, ...place }), 201);
  }),

  handle(routes.getWorkspace, async ({ board, call, params }) =>
    answer(await board.getWorkspace(call, params.id)),
  ),

  handle(routes.changeWorkspace, async ({ env, board, call, params, body }) => {
    const { leaseToken, ...change } = body;
    const lease = await readLease(env, leaseToken);
    return answer(await board.changeWorkspace(call, { id: params.id, lease, ...change }));
  }),
];
