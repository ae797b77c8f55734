import { TASK_STATUSES } from "../../rules/status.ts";
import { command } from "../command.ts";
import { holdOf } from "../hold.ts";
import { choice, flag, task, text } from "../options.ts";
import { changed } from "../task-view.ts";
import { LEASE } from "../work-words.ts";

export default command({
  summary: "Move a task to another status",
  args: { task, status: choice("where to", TASK_STATUSES) },
  options: {
    displace: flag("--displace", "take it from whoever holds it (lead)"),
    override: flag("--override", "although no verdict or blocker allows it (lead); goes on record"),
    reason: text("-r, --reason <text>", "why, for the record"),
    lease: LEASE,
  },
  examples: [
    ["edgeboard move n12 todo", "it may be claimed"],
    ["edgeboard move n12 todo --displace", "although somebody holds it"],
    ['edgeboard move n12 done --override -r "seen by hand"', "without a verdict"],
  ],
  async run(context, { task, status, displace, override, reason, lease }) {
    const { output, board } = context;
    const hold = holdOf(context, task, lease);
    const body = {
      status,
      displace,
      humanOverride: override,
      ...(status === "blocked" ? { blockedReason: reason } : { overrideReason: reason }),
      leaseToken: displace === true ? undefined : hold.leaseToken,
    };
    const answer = await hold.write(() => board.call("changeTask", { params: { id: hold.id }, body }));
    // In review its holder may still have it.
    if (answer.task.lease?.epoch !== hold.held?.grant.epoch) hold.forget();
    await output.answer(answer, () => changed(answer.task, output.colors));
  },
});
