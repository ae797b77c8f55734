/** How often in a row it went wrong, and what the board does about it. */
import { useBoard } from "../room/room.tsx";
import type { Shown } from "./use-task.ts";

export function Attempts({ shown }: { shown: Shown }) {
  const most = useBoard()?.settings.maxAttempts ?? 0;
  const { task, attempts } = shown.detail;
  const failed = task.attemptStreak;
  if (failed === 0) return null;
  const { crashStreak, errorStreak, lastCrashLeftWork } = attempts;
  const how = [
    crashStreak === 0 ? "" : `${crashStreak} fell silent`,
    errorStreak === 0 ? "" : `${errorStreak} ended with an error`,
  ].filter((part) => part !== "");
  // A lead who lets it try again begins the count anew; the runs go further back.
  const told = crashStreak + errorStreak === failed;
  return (
    <p className="soft">
      {failed === 1 ? "The last attempt failed" : `The last ${failed} attempts failed`}
      {told ? ` (${how.join(", ")})` : ""}
      {most === 0 ? "." : `; after ${most} in a row it is blocked.`}
      {lastCrashLeftWork ? " What fell silent had left work behind." : ""}
    </p>
  );
}
