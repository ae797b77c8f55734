import type { Answer, LeaseBody } from "../../client/calls.ts";
import { command } from "../command.ts";
import { Misused } from "../failure.ts";
import { holdOf } from "../hold.ts";
import { flag, optional, task, text } from "../options.ts";
import { type Colors, oneLine } from "../output.ts";
import { textOf } from "../stdin.ts";
import { changed } from "../task-view.ts";
import { HANDOFF, handoffOf, LEASE, tellMasked, USAGE, usageOf } from "../work-words.ts";

type Ending = Pick<LeaseBody<"completeTask">, "outcome" | "status">;

export default command({
  summary: "End the work on a task: done, for review, or failed",
  args: { task: optional({ ...task, about: "the task; where one alone is held here, that one" }) },
  options: {
    summary: text("-m, --summary <text>", "what was done; - reads it from standard input"),
    review: flag("--review", "somebody has to look at it first"),
    failed: flag("--failed", "it did not work; it is offered again"),
    error: text("--error <text>", "what went wrong, with --failed"),
    commit: text("--commit <sha>", "where the work is"),
    ...HANDOFF,
    ...USAGE,
    lease: LEASE,
  },
  examples: [
    ['edgeboard done n12 --summary "Parses all of the corpus."', "done"],
    ["edgeboard done --review --commit 3f2c1ab", "the task in hand, for review"],
    ['edgeboard done n12 --failed --error "No network." --next "Try the mirror."', "for another to try"],
  ],
  async run(context, input) {
    const { board, output } = context;
    if (input.failed === true && input.review === true)
      throw new Misused("--failed and --review do not go together.", "Leave one of them out.");
    if (input.error !== undefined && input.failed !== true)
      throw new Misused("--error goes with --failed.", "Say --failed, or tell it as the summary.");
    const hold = holdOf(context, input.task, input.lease);
    const body = {
      ...endingOf(input),
      summary: input.summary === undefined ? undefined : await textOf(context, input.summary),
      error: input.error,
      afterCommit: input.commit,
      ...usageOf(input),
      handoff: await handoffOf(context, input),
      leaseToken: hold.leaseToken,
    };
    const answer = await hold.end(() => board.call("completeTask", { params: { id: hold.id }, body }));
    await output.answer(answer, () => view(answer, output.colors));
    tellMasked(output, answer.masked);
  },
});

function endingOf({
  failed,
  review,
}: {
  failed?: boolean | undefined;
  review?: boolean | undefined;
}): Ending {
  if (failed === true) return { outcome: "failed", status: "todo" };
  return { outcome: "succeeded", status: review === true ? "in_review" : "done" };
}

function view({ task, unblocked, unblockedCount }: Answer<"completeTask">, colors: Colors): string {
  const more = unblockedCount - unblocked.length;
  return [
    changed(task, colors),
    ...unblocked.map(({ number, title }) => `  n${number} is ready now: ${oneLine(title)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ].join("\n");
}
