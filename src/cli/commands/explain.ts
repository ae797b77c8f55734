import type { Answer } from "../../client/calls.ts";
import { command } from "../command.ts";
import { task } from "../options.ts";
import { type Colors, oneLine } from "../output.ts";
import { named } from "../task-view.ts";

export default command({
  summary: "Say why a task is not ready, or not yours to claim, and who has to act",
  args: { task },
  examples: [["edgeboard explain n12", "what stands in its way"]],
  async run({ board, output }, { task }) {
    const answer = await board.tasks.explain(task);
    await output.answer(answer, () => view(answer, output.colors));
  },
});

function view(
  { task, claimable, reasons, chain, notes, truncated }: Answer<"explainTask">,
  colors: Colors,
): string {
  return [
    colors.bold(named(task)),
    claimable
      ? "  It can be claimed, by you and now."
      : `  ${task.taskStatus}; it cannot be claimed by you now:`,
    ...reasons.flatMap(({ code, detail, mustAct }) => [
      `  ${colors.yellow(code)}  ${oneLine(detail)}`,
      `    ${act(mustAct)}`,
    ]),
    ...(chain.length === 0 ? [] : ["", colors.dim("What has to move first")]),
    ...chain.map(
      ({ number, title, state, mustAct }) => `  n${number}  ${state}  ${oneLine(title)}\n    ${act(mustAct)}`,
    ),
    ...(truncated ? ["  and more"] : []),
    ...notes.map(({ detail }) => `\n${oneLine(detail)}`),
  ].join("\n");
}

const act = ({ who, action }: Answer<"explainTask">["reasons"][number]["mustAct"]): string =>
  `${who}: ${oneLine(action)}`;
