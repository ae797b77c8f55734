/** The options by which a task is written, the same for a new one and for an edit. */
import * as o from "./options.ts";

export const FIELDS = {
  description: o.text("-d, --description <text>", "what is to be done; - reads it from standard input"),
  priority: o.whole("-p, --priority <n>", "0 to 9, higher first", 0, 9),
  label: o.texts("-l, --label <label>", "a label, may be repeated"),
  kind: o.text("-k, --kind <kind>", "its kind, such as bug, feature or review"),
  team: o.text("--team <id>", "the team it is for"),
  parent: o.taskOption("--parent <task>", "the task it is a part of"),
  needs: o.texts("--needs <capability>", "what an agent must be able to do, may be repeated"),
  notBefore: o.moment("--not-before <time>", "when it may be begun: a time, or a span from now"),
  budget: o.money("--budget <usd>", "what its runs may cost together"),
  ref: o.text("--ref <ref>", "its name elsewhere; no two tasks have the same"),
} as const;
