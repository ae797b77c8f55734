/** What a scraper is told of a board: what its tables say, and what only its object knows. */

import type { Sample, Samples } from "../contract/metrics.ts";
import { accept } from "../contract/result.ts";
import { describeMetrics, type InMemory } from "./operations/describe-metrics.ts";
import { read } from "./operations.ts";
import type { Call, Reply } from "./replay.ts";
import type { Runner } from "./runner.ts";

const DESCRIBE_METRICS = read(describeMetrics);

export function readMetrics(runner: Runner, call: Call): Reply<Samples> {
  return runner.counted("readMetrics", () => {
    const told = runner.serve(DESCRIBE_METRICS, call, undefined);
    return told.ok ? accept({ ...told.value, ...inMemory(runner) }) : told;
  });
}

function inMemory({
  sql,
  storage,
  room,
  sockets,
  forWork,
  forEvents,
  tally,
}: Runner): Pick<Samples, InMemory> {
  const one = (value: number): Sample[] => [{ value }];
  return {
    edgeboard_storage_bytes: one(storage.sql.databaseSize),
    edgeboard_storage_limit_bytes: one(room),
    edgeboard_sockets: one(sockets.size),
    edgeboard_waiters: [
      { labels: { for: "work" }, value: forWork.size },
      { labels: { for: "events" }, value: forEvents.size },
    ],
    edgeboard_start_time_seconds: one(tally.since / 1000),
    edgeboard_operations_total: tally.operations(),
    edgeboard_rows_read_total: one(sql.rowsRead),
    edgeboard_rows_written_total: one(sql.rowsWritten),
    edgeboard_turned_away_total: one(tally.turnedAway),
  };
}
