import { command } from "../command.ts";
import { holdOf } from "../hold.ts";
import { optional, task, text } from "../options.ts";
import { changed } from "../task-view.ts";
import { HANDOFF, handoffOf, LEASE, tellMasked } from "../work-words.ts";

export default command({
  summary: "Give a task back, for somebody else to take",
  args: { task: optional({ ...task, about: "the task; where one alone is held here, that one" }) },
  options: { reason: text("-r, --reason <text>", "why"), ...HANDOFF, lease: LEASE },
  examples: [
    ["edgeboard release n12", "no attempt is counted"],
    ['edgeboard release -r "Out of time." --next "The lexer is done; go on with the grammar."', "well left"],
    ["edgeboard release n12 --handoff handoff.json", "with all there is to know"],
  ],
  async run(context, input) {
    const { board, output } = context;
    const hold = holdOf(context, input.task, input.lease);
    const body = {
      reason: input.reason,
      handoff: await handoffOf(context, input),
      leaseToken: hold.leaseToken,
    };
    const answer = await hold.end(() => board.call("releaseTask", { params: { id: hold.id }, body }));
    await output.answer(answer, () => changed(answer.task, output.colors));
    tellMasked(output, answer.masked);
  },
});
