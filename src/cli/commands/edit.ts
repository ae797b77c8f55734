import { command } from "../command.ts";
import { Misused } from "../failure.ts";
import { holdOf } from "../hold.ts";
import { orNone, task, text, whole } from "../options.ts";
import { textOf } from "../stdin.ts";
import { FIELDS } from "../task-fields.ts";
import { changed } from "../task-view.ts";
import { LEASE } from "../work-words.ts";

export default command({
  summary: "Change what a task says",
  details:
    "Labels and needs are replaced by those that are given. A holder edits with its lease, which is at hand.",
  args: { task },
  options: {
    title: text("-t, --title <title>", "what it is called"),
    ...FIELDS,
    label: orNone(FIELDS.label),
    kind: orNone(FIELDS.kind),
    team: orNone(FIELDS.team),
    parent: orNone(FIELDS.parent),
    needs: orNone(FIELDS.needs),
    notBefore: orNone(FIELDS.notBefore),
    budget: orNone(FIELDS.budget),
    ref: orNone(FIELDS.ref),
    ifVersion: whole("--if-version <n>", "only if it still has this version"),
    lease: LEASE,
  },
  examples: [
    ["edgeboard edit n12 -p 9 -l urgent -l backend", "priority, and both labels"],
    ["edgeboard edit n12 --not-before none", "it may be begun now"],
    ['edgeboard edit n12 --title "Write it" --if-version 3', "unless somebody was faster"],
  ],
  async run(context, input) {
    const { description, ifVersion } = input;
    const hold = holdOf(context, input.task, input.lease);
    const body = {
      title: input.title,
      description: description === undefined ? undefined : await textOf(context, description),
      priority: input.priority,
      labels: listOf(input.label),
      kind: input.kind,
      teamId: input.team,
      parentTaskId: input.parent,
      requiredCapabilities: listOf(input.needs),
      notBefore: input.notBefore,
      budgetUsd: input.budget,
      externalRef: input.ref,
    };
    if (Object.values(body).every((value) => value === undefined))
      throw new Misused("There is nothing to change.", "See `edgeboard edit --help` for what can be.");
    const call = { params: { id: hold.id }, body: { ...body, leaseToken: hold.leaseToken } };
    const condition = ifVersion === undefined ? {} : { ifVersion };
    const answer = await hold.write(() => context.board.call("changeTask", call, condition));
    await context.output.answer(answer, () => changed(answer.task, context.output.colors));
  },
});

/** Of a repeated option, where `none` may stand among the values. */
function listOf(given: readonly (string | null)[] | null | undefined): string[] | undefined {
  return given?.filter((value) => value !== null);
}
