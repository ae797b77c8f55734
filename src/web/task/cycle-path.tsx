/** The circle an edge would close, task by task. */
import { Fragment, useEffect, useState } from "react";
import { useRoom } from "../room/room.tsx";
import { TaskLink } from "../ui/task-link.tsx";

interface Named {
  id: string;
  number: number;
  title: string;
}

/** Beyond this a path is told by both its ends. */
const NAMED_MAX = 12;

export function CyclePath({ ids }: { ids: readonly string[] }) {
  const { board, store } = useRoom();
  const [named, setNamed] = useState<Named[] | null>(null);
  const shown = ids.length <= NAMED_MAX ? ids : [...ids.slice(0, NAMED_MAX - 2), ...ids.slice(-2)];
  const key = shown.join();
  useEffect(() => {
    const over = new AbortController();
    const nameOf = async (id: string): Promise<Named> =>
      store.card(id) ?? (await board.tasks.get(id, {}, { signal: over.signal })).task;
    Promise.all(shown.map(nameOf)).then(
      (tasks) => setNamed(tasks.map(({ id, number, title }) => ({ id, number, title }))),
      () => {},
    );
    return () => over.abort();
  }, [key]);
  return (
    <div className="notice task-cycle" data-tone="bad" role="alert">
      <p>This edge would close a circle, in which each task waits for the next:</p>
      <p>
        {named === null
          ? "…"
          : named.map((task, index) => (
              <Fragment key={index}>
                {index > 0 && (ids.length > NAMED_MAX && index === NAMED_MAX - 2 ? " → … → " : " → ")}
                <TaskLink task={task} />
              </Fragment>
            ))}
      </p>
    </div>
  );
}
