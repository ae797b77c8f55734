/** What waits for what: drawn, or as a list that says the same. */
import { lazy, Suspense, useState } from "react";
import { useSearchParams } from "wouter-preact";
import { useRoom } from "../room/room.tsx";
import { Page } from "../shell/page.tsx";
import { Empty } from "../ui/empty.tsx";
import { count } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { type Choice, readChoice, writeChoice } from "./choice.ts";
import { ChoiceBar } from "./choice-bar.tsx";
import { GraphDrawing } from "./graph-drawing.tsx";
import { GraphList } from "./graph-list.tsx";
import { type LiveGraph, useGraph } from "./use-graph.ts";
import "./graph.css";

const EdgeForm = lazy(() => import("./edge-form.tsx"));

export default function GraphPage() {
  const { may } = useRoom();
  const [params, setParams] = useSearchParams();
  const choice = readChoice(params);
  const choose = (next: Partial<Choice>) => setParams(writeChoice({ ...choice, ...next }), { replace: true });
  const graph = useGraph(choice);
  const [editing, setEditing] = useState(false);
  return (
    <Page
      title="Graph"
      wide
      actions={
        may("worker") && (
          <button type="button" className="button" onClick={() => setEditing(true)}>
            <Icon name="link" />
            Change what waits
          </button>
        )
      }
    >
      <ChoiceBar choice={choice} onChoose={choose}>
        {graph.value !== null && <Size graph={graph.value} />}
      </ChoiceBar>
      <div className="graph-view" data-as={choice.as}>
        <Loaded resource={graph}>{(value) => <Shown graph={value} choice={choice} />}</Loaded>
      </div>
      <Suspense fallback={null}>
        {editing && (
          <EdgeForm
            nodes={graph.value?.nodes ?? []}
            onChanged={graph.reload}
            onClose={() => setEditing(false)}
          />
        )}
      </Suspense>
    </Page>
  );
}

function Shown({ graph, choice }: { graph: LiveGraph; choice: Choice }) {
  if (graph.nodes.length === 0)
    return choice.show === "open" ? (
      <Empty title="Nothing is open">What is done is shown with “Everything”.</Empty>
    ) : (
      <Empty title="There are no tasks yet" />
    );
  if (choice.as === "list") return <GraphList graph={graph} />;
  const around = /^n?(\d+)$/.exec(choice.around);
  return <GraphDrawing graph={graph} start={around === null ? null : Number(around[1])} />;
}

function Size({ graph: { shape, truncated } }: { graph: LiveGraph }) {
  return (
    <span className="graph-size soft">
      {truncated && "The newest "}
      {count(shape.count)} tasks, {count(shape.edges.length)} edges
    </span>
  );
}
