import { command } from "../command.ts";
import { task } from "../options.ts";
import { taskView } from "../task-view.ts";

export default command({
  summary: "Show one task with its edges, runs and comments",
  args: { task },
  examples: [
    ["edgeboard show n12", "everything about it"],
    ["edgeboard show n12 --json", "the same, with every field"],
  ],
  async run({ board, output }, { task }) {
    const detail = await board.tasks.get(task, {
      include: ["comments", "executions", "ancestors", "dependencies", "dependents", "workspace"],
    });
    await output.answer(detail, () => taskView(detail, output.colors));
  },
});
