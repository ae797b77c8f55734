import type { Answer } from "../../client/calls.ts";
import { command } from "../command.ts";
import { whole } from "../options.ts";
import { type Output, oneLine } from "../output.ts";
import { type Column, table } from "../table.ts";
import { count, money, span, statusColor } from "../words.ts";

type Stats = Answer<"getStats">;
type Numbers = Stats["total"] & { name: string };

export default command({
  summary: "Show what was finished, how long it took, what it cost, and by whom",
  options: { days: whole("-d, --days <n>", "how many days to look back (default 30)", 1, 366) },
  examples: [
    ["edgeboard stats", "the last thirty days"],
    ["edgeboard stats --days 1 --json", "today, for a script"],
  ],
  async run({ board, output }, { days }) {
    const stats = await board.stats({ days });
    await output.answer(stats, () => view(stats, output));
  },
});

async function view(stats: Stats, output: Output): Promise<string> {
  const { colors } = output;
  const counts = Object.entries(stats.counts)
    .filter(([, number]) => number > 0)
    .map(([status, number]) => `${number} ${statusColor(colors, status)(status)}`);
  const rows: Numbers[] = [
    ...stats.byAgent.map((one) => ({ ...one, name: one.agentId })),
    { ...stats.total, name: "all" },
  ];
  const columns: Column<Numbers>[] = [
    { head: "agent", cell: ({ name }) => oneLine(name), gives: true },
    { head: "done", cell: ({ outcomes }) => outcomes.succeeded, right: true, color: colors.green },
    { head: "failed", cell: ({ outcomes }) => outcomes.failed || "", right: true, color: colors.red },
    { head: "timed out", cell: ({ outcomes }) => outcomes.timed_out || "", right: true },
    { head: "given back", cell: ({ outcomes }) => outcomes.released || "", right: true },
    { head: "cycle", cell: ({ cycle }) => average(cycle), right: true },
    { head: "wait", cell: ({ wait }) => average(wait), right: true },
    { head: "cost", cell: ({ costUsd }) => money(costUsd), right: true },
  ];
  return [
    counts.length === 0 ? "No tasks." : counts.join(", "),
    colors.dim(`The last ${count(stats.days, "day")}:`),
    await table(output, rows, columns),
  ].join("\n");
}

const average = ({ averageMs }: Stats["total"]["cycle"]): string =>
  averageMs === null ? "" : span(averageMs);
