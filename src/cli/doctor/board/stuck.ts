/** Does anything wait for a person? */
import type { Answer } from "../../../client/calls.ts";
import { count } from "../../words.ts";
import type { AtBoard, Check } from "../check.ts";
import { good, type Verdict, warning } from "../verdict.ts";

export const stuck: Check<AtBoard> = {
  name: "stuck",
  run: async ({ board }) => judgeStuck((await board.stuck({ limit: 1 })).counts),
};

export function judgeStuck(counts: Answer<"listStuck">["counts"]): Verdict {
  const reasons = Object.entries(counts).filter(([, number]) => number > 0);
  const all = reasons.reduce((sum, [, number]) => sum + number, 0);
  if (all === 0) return good("Nothing waits for a person.", { stuck: 0 });
  const by = reasons.map(([reason, number]) => `${reason} ${number}`).join(", ");
  const verdict = warning(
    `${count(all, "task")} will not move without a person: ${by}.`,
    "`edgeboard stuck` says who, and what to do.",
  );
  return { ...verdict, figures: { stuck: all } };
}
