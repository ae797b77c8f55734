import { command } from "../command.ts";
import { optional, word } from "../options.ts";
import { oneLine } from "../output.ts";
import { statusColor } from "../words.ts";

export default command({
  summary: "Show a board: its counts and the settings in force",
  args: { id: optional(word("the board; without it, yours")) },
  examples: [
    ["edgeboard board show", "the board of this token"],
    ["edgeboard board show demo --json", "with every setting"],
  ],
  async run(context, { id }) {
    const { output } = context;
    const { colors } = output;
    const answer = await (id === undefined ? context.board : context.server.board(id)).get();
    const { board, counts } = answer;
    const rows = [
      ...Object.entries(counts).map(([status, number]) => [
        statusColor(colors, status)(status),
        number,
        status,
      ]),
      ...Object.entries(board.settings).map(([name, value]) => [name, JSON.stringify(value), name]),
    ] as const;
    const state = [board.paused ? "paused" : "", board.archived ? "archived" : ""].filter(
      (word) => word !== "",
    );
    await output.answer(answer, () =>
      [
        `${colors.bold(board.id)}  ${oneLine(board.name)}${state.map((word) => `  ${colors.yellow(word)}`).join("")}`,
        ...rows.map(([shown, value, plain]) => `  ${shown}${" ".repeat(22 - String(plain).length)}${value}`),
      ].join("\n"),
    );
  },
});
