/** The board in numbers, over the days that are looked at. */
import { DAY_MS } from "../../contract/limits.ts";
import type { Stats } from "../../contract/stats.ts";
import { successRate } from "../../rules/run-stats.ts";
import { useRoom } from "../room/room.tsx";
import { count, duration, money, percent, tokens } from "../ui/format.ts";
import { DayBars } from "./day-bars.tsx";
import { DayTable } from "./day-table.tsx";
import { everyDay } from "./days.ts";

export function Numbers({ stats }: { stats: Stats }) {
  const { store } = useRoom();
  const { days, since, total, spent, throughput } = stats;
  const today = throughput.find(({ day }) => day === Math.floor(store.now() / DAY_MS) * DAY_MS);
  const told: [string, string, string?][] = [
    ["Succeeded today", count(today?.outcomes.succeeded ?? 0), "UTC"],
    ["Succeeded", count(total.outcomes.succeeded), `in ${days} days`],
    ["Success rate", percent(successRate(total.outcomes))],
    ["Retries", count(total.retries), "failed or fell silent"],
    ["Time to success", average(total.cycle.averageMs), "on average"],
    ["Wait for a claim", average(total.wait.averageMs), "on average"],
    ["Cost", money(total.costUsd), `${tokens(total.inputTokens + total.outputTokens)} tokens`],
    ["Spent ever", money(spent.costUsd), "running runs included"],
  ];
  const rows = throughput.map(({ day, outcomes, costUsd }) => ({
    day,
    succeeded: outcomes.succeeded,
    ended: Object.values(outcomes).reduce((sum, value) => sum + value, 0),
    costUsd,
  }));
  return (
    <section className="panel agents-numbers" aria-label="The board in numbers">
      <dl>
        {told.map(([name, value, note]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <strong>{value}</strong>
              {note !== undefined && <span className="soft">{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <div className="agents-charts">
        <figure>
          <DayBars
            label="Successes a day"
            days={everyDay(rows, since, days, (row) => row.succeeded)}
            format={count}
            width={260}
          />
          <figcaption className="soft">Successes a day</figcaption>
        </figure>
        <figure>
          <DayBars
            label="Cost a day"
            days={everyDay(rows, since, days, (row) => row.costUsd)}
            format={money}
            width={260}
          />
          <figcaption className="soft">Cost a day</figcaption>
        </figure>
        <details>
          <summary>As a table</summary>
          <DayTable rows={rows} label="The board by day" />
        </details>
      </div>
      {stats.truncated === true && (
        <p className="notice" data-tone="warn">
          There is too much to add up: ask for fewer days.
        </p>
      )}
    </section>
  );
}

function average(ms: number | null): string {
  return ms === null ? "–" : duration(ms);
}
