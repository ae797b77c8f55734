import { GRAPH_DEPTH, GRAPH_NODES_MAX, LIST_DEFAULT } from "../../contract/limits.ts";
import * as routes from "../../contract/routes/insight.ts";
import { answer, handle } from "../mount.ts";
import { invalid } from "../validate.ts";

const FILTERS = ["status", "teamId", "parentTaskId", "label", "kind", "includeDropped"] as const;

export const insight = [
  handle(routes.explainTask, async ({ board, call, params }) =>
    answer(await board.explainTask(call, params.id)),
  ),

  handle(routes.listStuck, async ({ board, call, query }) =>
    answer(
      await board.listStuck(call, {
        reason: query.reason ?? null,
        cursor: query.cursor ?? null,
        limit: query.limit ?? LIST_DEFAULT,
      }),
    ),
  ),

  handle(routes.getGraph, async ({ board, call, query }) => {
    const { around, depth } = query;
    if (around === undefined && depth !== undefined)
      return invalid([{ path: "depth", message: "goes with around" }]);
    const filter = FILTERS.find((name) => query[name] !== undefined);
    if (around !== undefined && filter !== undefined)
      return invalid([{ path: filter, message: "goes without around" }]);
    return answer(
      await board.getGraph(call, {
        around: around === undefined ? null : { id: around, depth: depth ?? GRAPH_DEPTH },
        filter: {
          statuses: [...new Set(query.status ?? [])],
          teamId: query.teamId ?? null,
          parentTaskId: query.parentTaskId ?? null,
          kind: query.kind ?? null,
          labels: query.label ?? [],
          includeDropped: query.includeDropped ?? false,
        },
        limit: query.limit ?? GRAPH_NODES_MAX,
      }),
    );
  }),
];
