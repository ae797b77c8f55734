import { command } from "../command.ts";
import { oneOf, tasksOption, text, word } from "../options.ts";
import { textOf } from "../stdin.ts";
import { FIELDS } from "../task-fields.ts";
import { changed } from "../task-view.ts";

export default command({
  summary: "Create a task",
  args: { title: word("what it is called") },
  options: {
    ...FIELDS,
    after: tasksOption("-a, --after <task>", "a task it has to wait for, may be repeated"),
    runtime: text("--runtime <name>", "the runtime that has to do it"),
    status: oneOf("-s, --status <status>", "where it begins", ["todo", "backlog", "blocked"]),
    key: text("--key <key>", "of several calls with one key, only the first creates"),
  },
  examples: [
    ['edgeboard add "Write the parser" -p 5', "ready at once"],
    ['edgeboard add "Test the parser" --after n12 -l backend', "ready when n12 is done"],
    ['edgeboard add "Ship it" --description - < notes.md', "with a long description"],
  ],
  async run(context, input) {
    const { board, output } = context;
    const { description, key } = input;
    const body = {
      title: input.title,
      description: description === undefined ? undefined : await textOf(context, description),
      status: input.status,
      priority: input.priority,
      labels: input.label,
      kind: input.kind,
      teamId: input.team,
      parentTaskId: input.parent,
      requiredCapabilities: input.needs,
      notBefore: input.notBefore,
      budgetUsd: input.budget,
      externalRef: input.ref,
      assigneeRuntime: input.runtime,
      dependsOn: input.after,
    };
    const answer = await board.tasks.create(body, key === undefined ? {} : { idempotencyKey: key });
    await output.answer(answer, () => changed(answer.task, output.colors));
  },
});
