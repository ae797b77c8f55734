import { LIST_DEFAULT, STATS_DAYS } from "../../contract/limits.ts";
import * as routes from "../../contract/routes/stats.ts";
import { metricsText } from "../metrics-text.ts";
import { answer, handle } from "../mount.ts";

export const stats = [
  handle(routes.getStats, async ({ board, call, query }) =>
    answer(await board.describeStats(call, { days: query.days ?? STATS_DAYS })),
  ),

  handle(routes.getMetrics, async ({ board, call }) =>
    answer(await board.readMetrics(call), 200, metricsText),
  ),

  handle(routes.listAgents, async ({ board, call, query }) =>
    answer(
      await board.listAgents(call, {
        after: query.cursor ?? "",
        days: query.days ?? STATS_DAYS,
        limit: query.limit ?? LIST_DEFAULT,
      }),
    ),
  ),
];
