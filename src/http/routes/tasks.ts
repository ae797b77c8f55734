import type { CreateTask } from "../../board/operations/create-task.ts";
import { LIST_DEFAULT } from "../../contract/limits.ts";
import * as routes from "../../contract/routes/tasks.ts";
import { answer, handle } from "../mount.ts";
import { readLease } from "../tokens.ts";
import { invalid } from "../validate.ts";

const etag = ({ task }: { task: { version: number } }) => ({ etag: `"${task.version}"` });

export const tasks = [
  handle(routes.createTask, async ({ board, call, body }) => {
    const { parentTaskId, dependsOn, ...draft } = body;
    const input: CreateTask = { draft, parentTaskId, dependsOn };
    return answer(await board.createTask(call, input), 201, (value) => value, etag);
  }),

  handle(routes.createPlan, async ({ board, call, body }) => {
    const dryRun = body.dryRun === true;
    const planned = body.tasks.map(({ ref, parentRef, parentTaskId, dependsOn, ...draft }) => ({
      ref,
      draft,
      parentRef,
      parentTaskId,
      dependsOn: dependsOn ?? [],
    }));
    const made = await board.createPlan(call, { tasks: planned, dryRun });
    // What a dry run numbered is gone again; only the refs mean anything.
    return dryRun
      ? answer(made, 200, ({ tasks, edges }) => ({ tasks: tasks.map(({ ref }) => ({ ref })), edges }))
      : answer(made, 201);
  }),

  handle(routes.listTasks, async ({ board, call, caller, query }) => {
    const queue = query.ready === true || query.order === "queue";
    if (query.ready === false) return invalid([{ path: "ready", message: "must be true" }]);
    if (queue && (query.order ?? "queue") !== "queue")
      return invalid([{ path: "order", message: "ready tasks come in queue order" }]);
    if (query.mine === true && query.assigneeAgentId !== undefined)
      return invalid([{ path: "mine", message: "goes without assigneeAgentId" }]);
    return answer(
      await board.listTasks(call, {
        filter: {
          statuses: [...new Set(query.status ?? [])],
          teamId: query.teamId ?? null,
          parentTaskId: query.parentTaskId ?? null,
          assigneeAgentId: query.mine === true ? caller.sub : (query.assigneeAgentId ?? null),
          labels: query.label ?? [],
          kind: query.kind ?? null,
          externalRef: query.externalRef ?? null,
          includeDropped: query.includeDropped ?? false,
          tenantId: query.tenantId ?? null,
        },
        order: queue ? "queue" : query.order === "oldest" ? "oldest" : "newest",
        q: query.q ?? null,
        cursor: query.cursor ?? null,
        limit: query.limit ?? LIST_DEFAULT,
      }),
    );
  }),

  handle(routes.getTask, async ({ board, call, params, query }) =>
    answer(
      await board.getTask(call, { id: params.id, include: query.include ?? [] }),
      200,
      (value) => value,
      etag,
    ),
  ),

  handle(routes.changeTask, async ({ env, board, call, params, body, conditions }) => {
    const { status, leaseToken, humanOverride, overrideReason, displace, ...content } = body;
    const changed = await board.changeTask(call, {
      id: params.id,
      status,
      content,
      lease: await readLease(env, leaseToken),
      humanOverride: humanOverride ?? false,
      overrideReason: overrideReason ?? null,
      displace: displace ?? false,
      ...conditions,
    });
    return answer(changed, 200, (value) => value, etag);
  }),

  handle(routes.dropTask, async ({ board, call, params }) => answer(await board.dropTask(call, params.id))),

  handle(routes.restoreTask, async ({ board, call, params }) =>
    answer(await board.restoreTask(call, params.id)),
  ),

  handle(routes.addComment, async ({ board, call, params, body }) =>
    answer(await board.addComment(call, { id: params.id, body: body.body }), 201),
  ),

  handle(routes.listComments, async ({ board, call, params, query }) => {
    const after = readNumber(query.cursor);
    if (after === null) return badCursor();
    return answer(
      await board.listComments(call, { id: params.id, after, limit: query.limit ?? LIST_DEFAULT }),
    );
  }),

  handle(routes.setVerification, async ({ env, board, call, params, body }) =>
    answer(
      await board.setVerification(call, {
        id: params.id,
        epoch: body.epoch,
        result: body.result,
        lease: await readLease(env, body.leaseToken),
      }),
    ),
  ),

  handle(routes.getVerification, async ({ board, call, params }) =>
    answer(await board.getVerification(call, params.id)),
  ),
];

/** A cursor that is a number; absent is the beginning, null is not a cursor. */
export function readNumber(cursor: string | undefined): number | null {
  if (cursor === undefined) return 0;
  return /^\d{1,15}$/.test(cursor) ? Number(cursor) : null;
}

/** A cursor that is the id of a row: what lists ordered by uuid hand out. */
export function isRowId(cursor: string): boolean {
  return /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(cursor);
}

export function badCursor() {
  return invalid([{ path: "cursor", message: "not a cursor of this list" }]);
}
