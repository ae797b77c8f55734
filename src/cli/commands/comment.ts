import { command } from "../command.ts";
import { task, word } from "../options.ts";
import { textOf } from "../stdin.ts";

export default command({
  summary: "Say something on a task",
  args: { task, text: word("what there is to say; - reads it from standard input") },
  examples: [
    ['edgeboard comment n12 "The fixture is missing."', "a line"],
    ["edgeboard comment n12 - < report.md", "a report"],
  ],
  async run(context, { task, text }) {
    const answer = await context.board.tasks.comment(task, await textOf(context, text));
    await context.output.answer(answer, () => `Said on ${task}.`);
  },
});
