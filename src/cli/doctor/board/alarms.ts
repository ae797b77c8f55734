/** Does what the board does by itself go through, by its own count? */
import { count, span } from "../../words.ts";
import type { AtBoard, Check } from "../check.ts";
import { type Metrics, metricsOf, NO_METRICS } from "../metrics.ts";
import { failed, good, type Verdict } from "../verdict.ts";

export const alarms: Check<AtBoard> = {
  name: "alarms",
  async run(at) {
    const metrics = await metricsOf(at);
    return metrics === null ? NO_METRICS : judgeAlarms(metrics);
  },
};

export function judgeAlarms(metrics: Metrics): Verdict {
  const inARow = metrics.get("edgeboard_failed_alarms");
  if (inARow === undefined) return NO_METRICS;
  if (inARow > 0)
    return failed(
      `The board's alarm has failed ${count(inARow, "time")} in a row.`,
      "The Worker's log says why (`wrangler tail`); until then nothing is swept, and no webhook goes out.",
    );
  const age = metrics.get("edgeboard_last_sweep_age_seconds");
  const last = age === undefined ? "it has had nothing to do yet" : `it last rang ${span(age * 1_000)} ago`;
  return good(`The board's alarm does its work; ${last}.`, { failedAlarms: 0 });
}
