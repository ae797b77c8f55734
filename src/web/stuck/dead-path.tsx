/** From a task to what cannot finish, step by step. */
import { Fragment } from "react";
import type { StuckTask } from "../../contract/insight.ts";
import { plural } from "../ui/format.ts";
import { TaskLink } from "../ui/task-link.tsx";

export function DeadPath({ stuck }: { stuck: StuckTask }) {
  const { path = [], pathLength = path.length, blocker } = stuck;
  const left = pathLength - path.length;
  const half = path.length / 2;
  return (
    <ol className="stuck-path" aria-label="What it waits for">
      {path.map((step, index) => (
        <Fragment key={step.id}>
          {left > 0 && index === half && <li className="soft">… {plural(left, "task")} in between …</li>}
          <li>
            <span className="soft">waits for </span>
            <TaskLink task={step} />
            {step.id === blocker?.id && (
              <span className="tag" data-tone="bad">
                {blocker.dropped ? "dropped" : "cancelled"}
              </span>
            )}
          </li>
        </Fragment>
      ))}
    </ol>
  );
}
