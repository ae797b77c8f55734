import * as z from "zod";
import { STATS_DAYS, STATS_DAYS_MAX } from "../limits.ts";
import { route } from "../route.ts";
import { agentsAnswer, statsAnswer } from "../stats.ts";
import { cursorQuery, limitQuery, queryInt } from "../text.ts";

const days = queryInt(1, STATS_DAYS_MAX)
  .optional()
  .meta({ description: `How many days to look back, today included; ${STATS_DAYS} where it is not given` });

export const getStats = route({
  id: "getStats",
  method: "GET",
  path: "/boards/:board/stats",
  tag: "Statistics",
  summary: "Throughput, times, retries and cost, by day, agent and runtime",
  role: "viewer",
  query: z.strictObject({ days }),
  answers: { 200: statsAnswer },
  refuses: [],
});

export const getMetrics = route({
  id: "getMetrics",
  method: "GET",
  path: "/boards/:board/metrics",
  tag: "Statistics",
  summary: "The board's numbers for Prometheus, at a bounded cost",
  role: "viewer",
  answers: { 200: null },
  textAnswer: {
    type: "text/plain; version=0.0.4; charset=utf-8",
    description: "Metrics in the text format of Prometheus",
  },
  refuses: [],
});

export const listAgents = route({
  id: "listAgents",
  method: "GET",
  path: "/boards/:board/agents",
  tag: "Statistics",
  summary: "Who works here: what each holds, when it was seen, how its runs ended",
  role: "viewer",
  query: z.strictObject({ days, limit: limitQuery, cursor: cursorQuery }),
  answers: { 200: agentsAnswer },
  refuses: [],
});
