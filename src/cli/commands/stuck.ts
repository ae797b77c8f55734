import type { Answer } from "../../client/calls.ts";
import type { StuckReason } from "../../contract/insight.ts";
import { command } from "../command.ts";
import { oneOf, text, whole } from "../options.ts";
import { type Column, table } from "../table.ts";
import { ago } from "../words.ts";

type Row = Answer<"listStuck">["stuck"][number];

/** In the contract's order; the compiler holds them to it, without loading its schemas. */
const REASONS = {
  no_lease: true,
  unreachable: true,
  attempt_limit: true,
  no_reviewer: true,
  overrun: true,
  unclaimable: true,
} as const satisfies Record<StuckReason, true>;

export default command({
  summary: "List what needs a person, and what for",
  options: {
    reason: oneOf("-r, --reason <reason>", "only these", Object.keys(REASONS) as StuckReason[]),
    limit: whole("-n, --limit <n>", "so many at most (default 50)", 1, 200),
    cursor: text("--cursor <cursor>", "where the last page ended (nextCursor of --json)"),
  },
  examples: [
    ["edgeboard stuck", "everything that will not move by itself"],
    ["edgeboard stuck -r attempt_limit", "what failed too often"],
  ],
  async run({ board, output }, query) {
    const answer = await board.stuck(query);
    const columns: Column<Row>[] = [
      { head: "task", cell: ({ task }) => `n${task.number}`, color: output.colors.bold },
      { head: "reason", cell: ({ reason }) => reason, color: output.colors.yellow },
      { head: "since", cell: ({ task }) => ago(task.since) },
      { head: "title", cell: ({ task }) => task.title, gives: true },
      { head: "who", cell: ({ mustAct }) => mustAct.who },
      { head: "what to do", cell: ({ mustAct }) => mustAct.action, gives: true },
    ];
    await output.answer(answer, () =>
      answer.stuck.length === 0 ? "Nothing needs a person." : table(output, answer.stuck, columns),
    );
    if (answer.hasMore) output.note(`There are more: --cursor ${answer.nextCursor}`);
  },
});
