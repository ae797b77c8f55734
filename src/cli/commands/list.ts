import { TASK_STATUSES } from "../../rules/status.ts";
import { command } from "../command.ts";
import { flag, oneOf, someOf, taskOption, text, texts, whole } from "../options.ts";
import { listed } from "../task-table.ts";

export default command({
  summary: "List tasks, newest first",
  options: {
    status: someOf("-s, --status <status>", "only these, may be repeated", TASK_STATUSES),
    label: texts("-l, --label <label>", "only tasks with this label, may be repeated"),
    kind: text("-k, --kind <kind>", "only tasks of this kind"),
    team: text("--team <id>", "only tasks of this team"),
    parent: taskOption("--parent <task>", "only the subtasks of this one"),
    agent: text("--agent <id>", "only what this agent holds"),
    mine: flag("--mine", "only what you hold"),
    search: text("-q, --search <text>", "only tasks with all of these words"),
    ref: text("--ref <ref>", "the task with this external reference"),
    dropped: flag("--dropped", "dropped ones as well"),
    order: oneOf("--order <order>", "how they are sorted", ["newest", "oldest", "queue"]),
    limit: whole("-n, --limit <n>", "so many at most (default 50)", 1),
    all: flag("-a, --all", "all of them, however many"),
  },
  examples: [
    ["edgeboard list", "the newest fifty"],
    ["edgeboard list -s in_progress -s in_review", "what is being worked on"],
    ['edgeboard list -q "parser unicode" --all', "every task with both words, anywhere in it"],
    ["edgeboard list --mine --json", "what this token's agent holds, for a script"],
  ],
  async run(context, input) {
    await listed(context, input, {
      status: input.status,
      label: input.label,
      kind: input.kind,
      teamId: input.team,
      parentTaskId: input.parent,
      assigneeAgentId: input.agent,
      mine: input.mine,
      q: input.search,
      externalRef: input.ref,
      includeDropped: input.dropped,
      order: input.order,
    });
  },
});
