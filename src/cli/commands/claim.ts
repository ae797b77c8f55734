import type { Answer } from "../../client/calls.ts";
import { WAIT_MAX_MS } from "../../contract/limits.ts";
import { command } from "../command.ts";
import type { Context } from "../context.ts";
import { Failure } from "../failure.ts";
import { flag, optional, span, task, taskOption, text, texts } from "../options.ts";
import { clean, oneLine } from "../output.ts";
import { handoffView, named } from "../task-view.ts";
import { count, span as spanText } from "../words.ts";

type Granted = Answer<"claimTask">;

export default command({
  summary: "Take the next task that is ready, or a named one",
  details: `The lease is kept on this machine, so that \`beat\` and \`done\` need nothing but the task. Exit code 1: there
is nothing to claim; 4: this task cannot be claimed, and the line says why.`,
  args: { task: optional({ ...task, about: "this very task" }) },
  options: {
    label: texts("-l, --label <label>", "one with this label, may be repeated"),
    kind: text("-k, --kind <kind>", "one of this kind"),
    team: text("--team <id>", "one of this team"),
    parent: taskOption("--parent <task>", "a subtask of this one"),
    runtime: text("--runtime <name>", "what runs it"),
    wait: span("-w, --wait <span>", "wait so long for one"),
    commit: text("--commit <sha>", "where the work begins (with a named task)"),
    ignoreDependencies: flag("--ignore-dependencies", "although it waits for others (lead, a named task)"),
  },
  examples: [
    ["edgeboard claim", "the next one, if there is any"],
    ["edgeboard claim -l backend --wait 10m", "wait for one of a label"],
    ["edgeboard claim n12", "this one or none"],
    ["edgeboard claim --json", "with its description, lease and handoff, for a script"],
  ],
  async run(context, input) {
    const { board, output, leases } = context;
    const { task: id, runtime, commit: beforeCommit, ignoreDependencies } = input;
    const granted =
      id === undefined
        ? await claimNext(context, input)
        : await board.call("claimTask", {
            params: { id },
            body: { runtime, beforeCommit, ignoreDependencies },
          });
    const { expiresAt: _expiresAt, ...lease } = granted.lease;
    const { id: taskId, number, title } = granted.task;
    leases.keep({ number, title, grant: { taskId, ...lease } });
    await output.answer(granted, () => view(context, granted));
    output.note(`Beat every ${spanText(lease.beatEveryMs)}, and end with \`edgeboard done n${number}\`.`);
  },
});

interface Wanted {
  label?: string[] | undefined;
  kind?: string | undefined;
  team?: string | undefined;
  parent?: string | undefined;
  runtime?: string | undefined;
  wait?: number | undefined;
}

/** The board holds its answer back for half a minute at most; longer waits are several. */
async function claimNext(context: Context, wanted: Wanted): Promise<Granted> {
  const { label: labels, kind, team: teamId, parent: parentTaskId, runtime, wait = 0 } = wanted;
  const { clock } = context.server;
  const deadline = clock.now() + wait * 1_000;
  for (;;) {
    const left = Math.max(0, Math.ceil(deadline - clock.now()));
    const waitMs = Math.min(left, WAIT_MAX_MS);
    const answer = await context.board.call("claimNext", {
      body: { labels, kind, teamId, parentTaskId, runtime, limit: 1, waitMs },
    });
    const [granted] = answer.claims;
    if (granted !== undefined) return granted;
    const { paused, budgetExhausted, retryAfterMs = 1_000 } = answer;
    if (paused === true) throw new Failure("The board is paused.", "A lead lets it go on.");
    if (budgetExhausted === true) throw new Failure("The board's budget is spent.", "A lead may raise it.");
    if (clock.now() >= deadline)
      throw new Failure("There is nothing to claim.", "`edgeboard claim --wait 10m` waits for something.");
    await clock.pause(Math.min(retryAfterMs, Math.max(0, deadline - clock.now())));
  }
}

function view({ output: { colors } }: Context, { task, lease, handoff, blockers = [] }: Granted): string {
  const left = blockers.filter(({ summary }) => summary !== null);
  return [
    colors.bold(named(task)),
    `  ${colors.dim("lease")} ${spanText(lease.ttlMs)}, ${count(lease.epoch, "claim")} so far`,
    ...(task.description === "" ? [] : ["", clean(task.description.trimEnd())]),
    ...(handoff === undefined ? [] : ["", colors.dim("Left by the last holder"), ...handoffView(handoff)]),
    ...(left.length === 0 ? [] : ["", colors.dim("Said of what it waited for")]),
    ...left.map(({ number, summary }) => `  n${number}  ${oneLine(summary ?? "")}`),
  ].join("\n");
}
