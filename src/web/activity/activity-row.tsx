/** One line of the feed: when, who, what, and what was written with it. */
import { useState } from "react";
import { useTaskName } from "../room/task-names.ts";
import { TaskLink } from "../ui/task-link.tsx";
import type { Told } from "../ui/told.ts";

export interface Line {
  key: number;
  at: number;
  actor: string;
  taskId: string | null;
  kind: string;
  told: Told;
}

const time = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

export function ActivityRow({ line }: { line: Line }) {
  const { at, actor, taskId, kind, told } = line;
  return (
    <li className="activity-row" data-kind={kind}>
      <time className="soft" dateTime={new Date(at).toISOString()}>
        {time.format(at)}
      </time>
      <div>
        <p>
          <bdi className="activity-who">{actor === "board" ? "The board" : actor}</bdi>{" "}
          <span className="foreign">{told.does}</span> {taskId !== null && <Named id={taskId} />}{" "}
          {told.ends && <span className="foreign">{told.ends}</span>}{" "}
          {told.other !== undefined && <Named id={told.other} />}
        </p>
        {told.words !== undefined && <Words text={told.words} />}
      </div>
    </li>
  );
}

/** Without its status: that is of today, and the line is of then. */
function Named({ id }: { id: string }) {
  const name = useTaskName(id);
  return name === null ? (
    <span className="soft">a task</span>
  ) : (
    <TaskLink task={{ number: name.number, title: name.title }} />
  );
}

const LONG = 240;

/** As it was written; what is long is shown when somebody asks. */
function Words({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const long = text.length > LONG || text.split("\n").length > 3;
  return (
    <div className="activity-words">
      <p className="foreign" data-cut={long && !all}>
        {long && !all ? text.slice(0, LONG * 2) : text}
      </p>
      {long && (
        <button type="button" className="button" data-kind="plain" onClick={() => setAll(!all)}>
          {all ? "Show less" : "Show all"}
        </button>
      )}
    </div>
  );
}
