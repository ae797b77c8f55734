/** What came of the work on a task: its runs, what they left, and what was judged of it. */
import { Runs } from "./runs.tsx";
import type { Shown } from "./use-task.ts";
import { Verdict } from "./verdict.tsx";

export default function Work({ shown }: { shown: Shown }) {
  return (
    <>
      <Runs shown={shown} />
      <Verdict shown={shown} />
    </>
  );
}
