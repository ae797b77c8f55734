/** What a task waits for, and what waits for it; edges are added and taken away here. */
import { Suspense, useState } from "react";
import type { Graph } from "../../contract/insight.ts";
import type { OnCancel, TaskRef } from "../../contract/task.ts";
import { isTerminal } from "../../rules/status.ts";
import { type Resource, useResource } from "../room/resource.ts";
import { useRoom } from "../room/room.tsx";
import { Fault } from "../ui/fault.tsx";
import { Icon } from "../ui/icon.tsx";
import { errorText } from "../ui/problem.ts";
import { TaskLink } from "../ui/task-link.tsx";
import { announce, notify } from "../ui/toasts.tsx";
import { EdgeForm } from "./lazy-forms.ts";
import { ON_CANCEL_NAMES } from "./on-cancel.ts";
import { Section } from "./section.tsx";
import { AT_ONCE_MS, type Shown } from "./use-task.ts";

const SHOWN = 500;

interface Edge extends TaskRef {
  onCancel: OnCancel;
}

export function WaitsFor({ shown }: { shown: Shown }) {
  const { dependencies = [], truncated = [] } = shown.detail;
  return (
    <Edges
      shown={shown}
      way="up"
      edges={dependencies}
      more={truncated.includes("dependencies")}
      onChange={shown.reload}
    />
  );
}

/** Those that wait for it directly: what waits for them in turn is in the graph. */
export function WaitedForBy({ shown }: { shown: Shown }) {
  const { board } = useRoom();
  const { id } = shown.detail.task;
  const graph: Resource<Graph> = useResource(
    `around:${id}`,
    (signal) => board.graph({ around: id, depth: 1, limit: SHOWN }, { signal }),
    ({ taskId, data }) =>
      data["dependsOnTaskId"] === id ||
      (data["dependsOn"] as string[] | undefined)?.includes(id) === true ||
      (graph.value?.nodes.some((node) => node.id === taskId) ?? false),
    AT_ONCE_MS,
  );
  if (graph.value === null)
    return graph.error === null ? null : <Fault text={errorText(graph.error)} onRetry={graph.reload} />;
  const { nodes, edges, truncated } = graph.value;
  const known = new Map(nodes.map((node) => [node.id, node]));
  const waiting = edges.flatMap(({ from, to, onCancel }) => {
    const node = from === id ? known.get(to) : undefined;
    return node === undefined ? [] : [{ ...node, onCancel }];
  });
  return <Edges shown={shown} way="down" edges={waiting} more={truncated} onChange={graph.reload} />;
}

interface EdgesProps {
  shown: Shown;
  way: "up" | "down";
  edges: readonly Edge[];
  more: boolean;
  onChange: () => void;
}

function Edges({ shown, way, edges, more, onChange }: EdgesProps) {
  const { board, may } = useRoom();
  const { task } = shown.detail;
  const [adding, setAdding] = useState(false);
  const mayEdit = may("lead") && !task.dropped;
  const mayAdd = mayEdit && !isTerminal(task.status);
  if (edges.length === 0 && !mayAdd) return null;
  const remove = async (edge: Edge) => {
    try {
      if (way === "up") await board.tasks.unlink(task.id, edge.id);
      else await board.tasks.unlink(edge.id, task.id);
      announce(`The edge to n${edge.number} is gone.`);
    } catch (error) {
      notify(errorText(error), "bad");
    }
    onChange();
  };
  return (
    <Section
      title={way === "up" ? "Waits for" : "Waited for by"}
      note={edges.length === 0 && !adding ? "nothing" : undefined}
      actions={
        mayAdd && !adding ? (
          <button
            type="button"
            className="button"
            data-kind="plain"
            aria-label={way === "up" ? "Add a task it waits for" : "Add a task that waits for it"}
            onClick={() => setAdding(true)}
          >
            Add
          </button>
        ) : undefined
      }
    >
      {adding && (
        <Suspense fallback={null}>
          <EdgeForm shown={shown} way={way} onDone={onChange} onClose={() => setAdding(false)} />
        </Suspense>
      )}
      {edges.length > 0 && (
        <ul className="task-edges">
          {edges.map((edge) => (
            <li key={edge.id}>
              <TaskLink task={edge} />
              {edge.onCancel !== "hold" && (
                <span className="tag" title="If what is waited for is cancelled">
                  {ON_CANCEL_NAMES[edge.onCancel]}
                </span>
              )}
              {mayEdit && (
                <button
                  type="button"
                  className="button task-remove"
                  data-kind="plain"
                  aria-label={`Remove the edge to n${edge.number}`}
                  title="Remove"
                  onClick={() => void remove(edge)}
                >
                  <Icon name="close" />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {more && <p className="soft">The first {edges.length} are shown; there are more.</p>}
    </Section>
  );
}
