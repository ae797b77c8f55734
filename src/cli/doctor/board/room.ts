/** Is there room on the board for what is to come? */
import { bytes } from "../../words.ts";
import type { AtBoard, Check } from "../check.ts";
import { type Metrics, metricsOf, NO_METRICS } from "../metrics.ts";
import { failed, good, type Verdict, warning } from "../verdict.ts";

/** Of the limit: from here on there is still time to do something about it. */
const NEARLY_FULL = 0.8;

export const room: Check<AtBoard> = {
  name: "room",
  async run(at) {
    const metrics = await metricsOf(at);
    return metrics === null ? NO_METRICS : judgeRoom(metrics);
  },
};

export function judgeRoom(metrics: Metrics): Verdict {
  const used = metrics.get("edgeboard_storage_bytes");
  const limit = metrics.get("edgeboard_storage_limit_bytes");
  if (used === undefined || limit === undefined) return NO_METRICS;
  const words = `The board takes ${bytes(used)} of ${bytes(limit)}`;
  const next = "Export it and begin another, or let its log reach back less far (`eventRetention`).";
  if (used >= limit) return failed(`${words}, and takes in nothing new.`, next);
  if (used >= limit * NEARLY_FULL) return warning(`${words}.`, next);
  return good(`${words}.`, { storageBytes: used, storageLimitBytes: limit });
}
