import { command } from "../command.ts";
import { holdOf } from "../hold.ts";
import { task, word } from "../options.ts";
import { changed } from "../task-view.ts";
import { LEASE } from "../work-words.ts";

export default command({
  summary: "Say that a task cannot go on without a person",
  args: { task, reason: word("what has to happen first") },
  options: { lease: LEASE },
  examples: [['edgeboard block n12 "Needs the key of the test account."', "no attempt is counted"]],
  async run(context, { task, reason: blockedReason, lease }) {
    const { board, output } = context;
    const hold = holdOf(context, task, lease);
    const body = { status: "blocked" as const, blockedReason, leaseToken: hold.leaseToken };
    const answer = await hold.end(() => board.call("changeTask", { params: { id: hold.id }, body }));
    await output.answer(answer, () => changed(answer.task, output.colors));
  },
});
