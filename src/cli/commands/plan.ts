import type { Body } from "../../client/calls.ts";
import { command } from "../command.ts";
import { Misused } from "../failure.ts";
import { flag, source, text } from "../options.ts";
import { contentOf, parsedJson } from "../stdin.ts";
import { table } from "../table.ts";
import { count } from "../words.ts";

export default command({
  summary: "Create many tasks and their edges at once: all or nothing",
  details: `The file is JSON: {"tasks": [{"ref": "parser", "title": "Write the parser"},
{"ref": "tests", "title": "Test it", "dependsOn": ["parser"]}]}, or the list alone. A task may have every field
it has on the board, and parentRef.`,
  args: { file: source("the plan; - is standard input") },
  options: {
    dryRun: flag("--dry-run", "only say whether it could be"),
    key: text("--key <key>", "of several calls with one key, only the first creates"),
  },
  examples: [
    ["edgeboard plan plan.json --dry-run", "is it sound?"],
    ["edgeboard plan plan.json", "create it"],
    ["planner | edgeboard plan -", "from another program"],
  ],
  async run(context, { file, dryRun, key }) {
    const { board, output } = context;
    const parsed = parsedJson(await contentOf(context, file), file === "-" ? "Standard input" : file);
    const { tasks } = (Array.isArray(parsed) ? { tasks: parsed } : (parsed ?? {})) as Body<"createPlan">;
    if (!Array.isArray(tasks) || tasks.length === 0)
      throw new Misused("There are no tasks in this plan.", "See `edgeboard plan --help` for how it looks.");
    const answer = await board.createPlan(
      { tasks, ...(dryRun === true ? { dryRun } : {}) },
      key === undefined ? {} : { idempotencyKey: key },
    );
    const total = `${count(answer.tasks.length, "task")} and ${count(answer.edges, "edge")}`;
    await output.answer(answer, () =>
      dryRun === true
        ? `The plan is sound: ${total}.`
        : table(output, answer.tasks, [
            { head: "task", cell: ({ number }) => `n${number}`, color: output.colors.bold },
            { head: "ref", cell: ({ ref }) => ref, gives: true },
          ]),
    );
    if (dryRun !== true) output.note(`Created ${total}.`);
  },
});
