/** Does the board give work out? */
import type { Answer } from "../../../client/calls.ts";
import { count } from "../../words.ts";
import type { AtBoard, Check } from "../check.ts";
import { good, type Verdict, warning } from "../verdict.ts";

export const state: Check<AtBoard> = {
  name: "board",
  run: async ({ board }) => judgeBoard(await board.get()),
};

export function judgeBoard({ board, counts }: Pick<Answer<"getBoard">, "board" | "counts">): Verdict {
  const tasks = Object.values(counts).reduce((sum, number) => sum + number, 0);
  const words = `${board.id} has ${count(tasks, "task")}, ${counts.in_progress} of them in progress`;
  if (board.archived) return warning(`${words}; it is archived.`, "A lead may take it out of the archive.");
  if (board.paused) return warning(`${words}; it is paused and gives nothing out.`, "A lead lets it go on.");
  return good(`${words}.`, { tasks, inProgress: counts.in_progress });
}
