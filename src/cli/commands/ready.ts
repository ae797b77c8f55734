import { command } from "../command.ts";
import { flag, taskOption, text, texts, whole } from "../options.ts";
import { listed } from "../task-table.ts";

export default command({
  summary: "List what can be worked on now, in the order it is handed out",
  options: {
    label: texts("-l, --label <label>", "only tasks with this label, may be repeated"),
    kind: text("-k, --kind <kind>", "only tasks of this kind"),
    team: text("--team <id>", "only tasks of this team"),
    parent: taskOption("--parent <task>", "only the subtasks of this one"),
    limit: whole("-n, --limit <n>", "so many at most (default 50)", 1),
    all: flag("-a, --all", "all of them, however many"),
  },
  examples: [
    ["edgeboard ready", "the queue"],
    ["edgeboard ready -l backend --json", "what is ready of one label, for a script"],
  ],
  async run(context, { label, kind, team, parent, ...paging }) {
    await listed(context, paging, { ready: true, label, kind, teamId: team, parentTaskId: parent });
  },
});
