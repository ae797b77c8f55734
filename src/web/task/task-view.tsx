/** A task with everything that is known of it, on its own page or in the drawer over the board. */
import { lazy, type ReactNode, Suspense } from "react";
import { Comments } from "./comments.tsx";
import { Content } from "./content.tsx";
import { WaitedForBy, WaitsFor } from "./edges.tsx";
import { Fields } from "./fields.tsx";
import { Head } from "./head.tsx";
import { Holder } from "./holder.tsx";
import { Subtasks } from "./subtasks.tsx";
import type { Shown } from "./use-task.ts";
import { Why } from "./why.tsx";
import "./task.css";
import "./task-forms.css";
import "./task-lists.css";

// What stands further down is fetched beside what stands above it.
const Work = lazy(() => import("./work.tsx"));
const History = lazy(() => import("./history.tsx"));

/** `end`: stands at the end of the top line, such as what closes the drawer. */
export function TaskView({ shown, end }: { shown: Shown; end?: ReactNode }) {
  const { id } = shown.detail.task;
  return (
    <div className="task-view">
      <Head shown={shown}>{end}</Head>
      <div className="task-columns">
        <div className="task-first">
          <Content shown={shown} />
          <Why shown={shown} />
        </div>
        <div className="task-side">
          <Holder shown={shown} />
          <Fields shown={shown} />
        </div>
        <div className="task-rest">
          <WaitsFor shown={shown} />
          <WaitedForBy shown={shown} />
          <Subtasks shown={shown} />
          <Suspense fallback={null}>
            <Work shown={shown} />
            <Comments shown={shown} />
            <History taskId={id} />
          </Suspense>
        </div>
      </div>
    </div>
  );
}
