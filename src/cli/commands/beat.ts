import type { Answer } from "../../client/calls.ts";
import { LeaseLost } from "../../client/errors.ts";
import { command } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure, Misused } from "../failure.ts";
import { type Hold, holdOf } from "../hold.ts";
import { flag, optional, task, text } from "../options.ts";
import { oneLine } from "../output.ts";
import { until } from "../words.ts";
import { LEASE, USAGE, usageOf } from "../work-words.ts";

type Beat = Answer<"heartbeat">;

export default command({
  summary: "Prove that you are alive, and hear what is asked of you",
  args: { task: optional({ ...task, about: "the task; where one alone is held here, that one" }) },
  options: {
    progress: text("-m, --progress <text>", "how far the work is"),
    ...USAGE,
    keep: flag("--keep", "go on beating until the task is out of your hands"),
    lease: LEASE,
  },
  examples: [
    ["edgeboard beat n12", "one beat"],
    ['edgeboard beat -m "half of the tests pass" --cost 0.40', "with a report"],
    ["edgeboard beat n12 --keep &", "on its own, while the work goes on"],
  ],
  async run(context, input) {
    const { board, output } = context;
    const { progress, keep } = input;
    const hold = holdOf(context, input.task, input.lease);
    const used = usageOf(input);
    const usage = Object.keys(used).length === 0 ? undefined : used;
    if (keep === true) return keepBeating(context, hold);
    const body = { leaseToken: hold.leaseToken, progress, usage };
    const beat = await hold.write(() => board.call("heartbeat", { params: { id: hold.id }, body }));
    await output.answer(beat, () => `${hold.id} is held, its lease ends ${until(beat.lease.expiresAt)}.`);
    report(context, hold, beat);
  },
});

/** Beats on a timer. The end of it is no failure where the task was finished or given back. */
async function keepBeating(context: Context, hold: Hold): Promise<number> {
  if (hold.held === null)
    throw new Misused(`The lease of ${hold.id} is not kept here.`, "Only a claim from here can be kept.");
  context.stoppable();
  const lease = context.board.lease(hold.held.grant);
  const ended = new Promise<void>((resolve) => {
    for (const signal of [lease.over, context.signal]) signal.addEventListener("abort", () => resolve());
  });
  lease.keep({
    onBeat: (beat) => report(context, hold, beat),
    onDoubt: () => context.output.note("A beat got no answer; the next one follows."),
  });
  await lease.heartbeat().catch((error: unknown) => {
    if (!lease.over.aborted) context.output.note(oneLine(String(error)));
  });
  context.output.note(`Beating for ${hold.id}.`);
  await ended;
  if (!lease.over.aborted) {
    lease.lose(new LeaseLost("unproven", "The beating was stopped."));
    return EXIT.ok;
  }
  const why = lease.over.reason;
  hold.forget();
  if (why instanceof LeaseLost && (why.reason === "completed" || why.reason === "released")) return EXIT.ok;
  throw new Failure(
    why instanceof Error ? why.message : "The lease is over.",
    "Stop working on it.",
    EXIT.conflict,
  );
}

function report({ output }: Context, hold: Hold, { directives, newComments }: Beat): void {
  for (const { kind, reason } of directives)
    output.note(
      kind === "drain"
        ? `Finish ${hold.id}, and take nothing new: ${oneLine(reason ?? "")}`
        : `Stop ${hold.id} (${kind}): ${oneLine(reason ?? "")}`,
    );
  if (newComments > 0) output.note(`New comments: ${newComments}. \`edgeboard show ${hold.id}\` has them.`);
}
