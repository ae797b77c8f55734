import { command } from "../command.ts";
import { task } from "../options.ts";
import { changed } from "../task-view.ts";

export default command({
  summary: "Let a task wait for another no longer",
  args: { task, blocker: { ...task, about: "what it waits for" } },
  examples: [["edgeboard unlink n12 n7", "n12 does not wait for n7 any more"]],
  async run({ board, output }, { task, blocker }) {
    const answer = await board.tasks.unlink(task, blocker);
    await output.answer(answer, () => changed(answer.task, output.colors));
  },
});
