import { command } from "../command.ts";
import { oneOf, task } from "../options.ts";
import { changed } from "../task-view.ts";

export default command({
  summary: "Let a task wait for another",
  args: { task, blocker: { ...task, about: "what it waits for" } },
  options: {
    onCancel: oneOf("--on-cancel <what>", "what becomes of it should the other be cancelled", [
      "hold",
      "satisfy",
      "cascade",
    ]),
  },
  examples: [
    ["edgeboard link n12 n7", "n12 waits until n7 is done"],
    ["edgeboard link n12 n7 --on-cancel satisfy", "or cancelled"],
  ],
  async run({ board, output }, { task, blocker, onCancel }) {
    const answer = await board.tasks.link(task, { dependsOnTaskId: blocker, onCancel });
    await output.answer(answer, () => changed(answer.task, output.colors));
  },
});
