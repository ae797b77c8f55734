import { command } from "../command.ts";
import { flag, task, text } from "../options.ts";
import { changed } from "../task-view.ts";

export default command({
  summary: "Ask the holder of a task to stop, in its next beat",
  args: { task },
  options: {
    reason: text("-r, --reason <text>", "why"),
    drain: flag("--drain", "finish what is in hand, and take nothing new"),
  },
  examples: [
    ['edgeboard stop n12 -r "The plan has changed."', "at once"],
    ["edgeboard stop n12 --drain", "when it has come to an end"],
  ],
  async run({ board, output }, { task, reason = "Asked to stop by a person.", drain }) {
    const answer = await board.tasks.stop(task, { mode: drain === true ? "drain" : "cancel", reason });
    await output.answer(answer, () => changed(answer.task, output.colors));
    output.note("Its holder hears of it in the next beat.");
  },
});
