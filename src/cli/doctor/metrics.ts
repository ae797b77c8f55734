/** A board's own numbers, as it tells them to Prometheus; none, where the server is older than they are. */
import { BASE } from "../../contract/route.ts";
import { Failure } from "../failure.ts";
import type { AtBoard } from "./check.ts";
import { skipped } from "./verdict.ts";
import { ask } from "./wire.ts";

export type Metrics = ReadonlyMap<string, number>;

export const NO_METRICS = skipped("This server tells no metrics of a board.", "A newer one does.");

export async function metricsOf(at: AtBoard): Promise<Metrics | null> {
  const heard = await ask(at, `${BASE}/boards/${encodeURIComponent(at.id)}/metrics`, { token: at.token });
  if (heard.json?.code === "route_not_found") return null;
  if (heard.status === 200) return readMetrics(heard.text);
  throw new Failure(
    `The board's metrics are answered ${heard.status}: ${heard.json?.detail ?? "no problem"}`,
  );
}

/** Those of one value each: `edgeboard_failed_alarms 0`. Labels and comments are passed over. */
export function readMetrics(text: string): Metrics {
  const lines = text.split("\n").map((line) => /^(\w+) (\S+)$/.exec(line.trim()));
  return new Map(lines.flatMap((match) => (match === null ? [] : [[match[1] ?? "", Number(match[2])]])));
}
