/** Who worked when: the runs of the board on a timeline, or in a table. */
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { useLocation, useSearchParams } from "wouter-preact";
import type { Execution } from "../../contract/task.ts";
import { useEvents, useRoom } from "../room/room.tsx";
import { type TaskName, useTaskNames } from "../room/task-names.ts";
import { Page } from "../shell/page.tsx";
import { Empty } from "../ui/empty.tsx";
import { Fault } from "../ui/fault.tsx";
import { errorText } from "../ui/problem.ts";
import { taskPath } from "../ui/task-link.tsx";
import { announce, notify } from "../ui/toasts.tsx";
import { type Choice, readChoice, writeChoice } from "./choice.ts";
import { ChoiceBar } from "./choice-bar.tsx";
import { isPlainKey } from "./keys.ts";
import { RunLog } from "./run-log.ts";
import { RunPanel } from "./run-panel.tsx";
import { RunTable } from "./run-table.tsx";
import { RUN_NAMES } from "./run-words.tsx";
import { Timeline } from "./timeline.tsx";
import "./runs.css";

export default function RunsPage() {
  const { id: board } = useRoom();
  const [params, setParams] = useSearchParams();
  const [, navigate] = useLocation();
  const choice = readChoice(params);
  const choose = (next: Partial<Choice>) => setParams(writeChoice({ ...choice, ...next }), { replace: true });
  const log = useRunLog();
  const names = useTaskNames();
  const { runs, state, error, hasMore } = useSyncExternalStore(log.onChange, () => log.read);
  const [chosenId, setChosenId] = useState<string | null>(null);
  // Keys may come faster than the page is drawn: each goes on from where the one before it went.
  const latest = useRef<string | null>(null);
  const setChosen = useCallback((id: string) => {
    latest.current = id;
    setChosenId(id);
  }, []);
  const chosen = chosenId === null ? null : (log.get(chosenId) ?? null);
  const onChoose = useCallback((run: Execution) => setChosen(run.id), [setChosen]);
  const older = useCallback(() => void log.readOlder(), [log]);

  const step = (by: number) => {
    const at = runs.findIndex(({ id }) => id === latest.current);
    const next = runs[at < 0 ? 0 : at + by];
    if (at + by >= runs.length - 1) older();
    if (next === undefined) return;
    setChosen(next.id);
    announce(`Run of ${next.agentId}, ${RUN_NAMES[next.status].toLowerCase()}.`);
  };
  const open = async (of: "task" | "parent") => {
    const run = latest.current === null ? undefined : log.get(latest.current);
    if (run === undefined) return;
    try {
      const task: TaskName = await names.read(run.taskId);
      if (of === "task") navigate(taskPath(board, task.number));
      else if (task.parentTaskId === null) notify(`n${task.number} has no task above it.`);
      else navigate(taskPath(board, (await names.read(task.parentTaskId)).number));
    } catch (error) {
      notify(errorText(error), "bad");
    }
  };
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isPlainKey(event)) return;
      if (event.key === "j") step(1);
      else if (event.key === "k") step(-1);
      else if (event.key === "Enter" && latest.current !== null) void open("task");
      else if (event.key === "p" && latest.current !== null) void open("parent");
      else return;
      event.preventDefault();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  });

  const shown = { runs, hasMore, chosen, onChoose, onOlder: older };
  return (
    <Page title="Runs" wide>
      <ChoiceBar choice={choice} onChoose={choose} />

      {state === "loading" && (
        <p className="waiting soft" role="status">
          Loading …
        </p>
      )}
      {state === "failed" && <Fault text={errorText(error)} onRetry={older} />}
      {state === "ready" && runs.length === 0 && (
        <Empty title="Nobody has worked yet">A run begins when an agent claims a task.</Empty>
      )}
      {runs.length > 0 && (
        <div className="runs-body" data-as={choice.as}>
          {choice.as === "table" ? (
            <RunTable {...shown} />
          ) : (
            <Timeline {...shown} by={choice.by} shorten={choice.idle === "short"} />
          )}
          <RunPanel run={chosen} />
        </div>
      )}
    </Page>
  );
}

/** The runs, kept up for as long as the page is open, and read anew after a gap. */
function useRunLog(): RunLog {
  const { board, connection } = useRoom();
  const log = useMemo(() => new RunLog(board), [board]);
  const rejoinedAt = useSyncExternalStore(connection.onChange, () => connection.rejoinedAt);
  useEffect(() => {
    void log.readOlder();
    return () => log.end();
  }, [log]);
  useEffect(() => {
    if (rejoinedAt !== null) void log.settle(true);
  }, [log, rejoinedAt]);
  useEvents(useCallback((events) => log.hear(events), [log]));
  return log;
}
