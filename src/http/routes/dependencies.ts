import * as routes from "../../contract/routes/dependencies.ts";
import { answer, handle } from "../mount.ts";

export const dependencies = [
  handle(routes.linkDependency, async ({ board, call, params, body }) => {
    const linked = await board.linkDependency(call, { id: params.id, ...body });
    const created = linked.ok && linked.value.created;
    return answer(linked, created ? 201 : 200, ({ task }) => ({ task }));
  }),

  handle(routes.unlinkDependency, async ({ board, call, params }) =>
    answer(await board.unlinkDependency(call, { id: params.id, dependsOnTaskId: params.dependsOnTaskId })),
  ),

  handle(routes.listDependents, async ({ board, call, params }) =>
    answer(await board.listDependents(call, params.id)),
  ),

  handle(routes.listAncestors, async ({ board, call, params }) =>
    answer(await board.listAncestors(call, params.id)),
  ),

  handle(routes.cancelDependents, async ({ board, call, params }) =>
    answer(await board.cancelDependents(call, params.id)),
  ),
];
