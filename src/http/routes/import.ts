import { IMPORT_MAX_TASKS } from "../../contract/limits.ts";
import { refuse } from "../../contract/result.ts";
import * as routes from "../../contract/routes/tasks.ts";
import { readBeads } from "../../import-export/beads.ts";
import { answer, handle } from "../mount.ts";

export const imports = [
  handle(routes.importTasks, async ({ board, call, query, text }) => {
    const { tasks, skipped, issues } = readBeads(text, { reset: query.reset ?? false });
    if (tasks.length > IMPORT_MAX_TASKS)
      return refuse("import_invalid", `One import may bring at most ${IMPORT_MAX_TASKS} tasks.`, {
        issues: [],
      });
    if (issues.length > 0)
      return refuse("import_invalid", "The source has faults; nothing was stored.", {
        issues: issues.slice(0, 200),
      });
    return answer(
      await board.importTasks(call, { source: query.format, tasks, skipped, dryRun: query.dryRun ?? false }),
    );
  }),
];
