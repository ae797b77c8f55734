/** Which page an address shows. The board is loaded at once; the others when somebody goes there. */
import { Suspense, useEffect, useState } from "react";
import { Redirect, Route, Switch, useRoute } from "wouter-preact";
import { useHistoryState } from "wouter-preact/use-browser-location";
import type { Me } from "../contract/answers.ts";
import { BoardPage } from "./board/board-page.tsx";
import { BoardRoom } from "./room/room.tsx";
import { openPage, useSession } from "./session/session.ts";
import { later } from "./shell/later.tsx";
import { Nav } from "./shell/nav.tsx";
import { Empty } from "./ui/empty.tsx";
import { Fault } from "./ui/fault.tsx";
import { errorText } from "./ui/problem.ts";
import { Toasts } from "./ui/toasts.tsx";

const HomePage = later(() => import("./home/home-page.tsx"));
const TaskPage = later(() => import("./task/task-page.tsx"));
const TaskDrawer = later(() => import("./task/task-drawer.tsx"));
const GraphPage = later(() => import("./graph/graph-page.tsx"));
const RunsPage = later(() => import("./runs/runs-page.tsx"));
const AgentsPage = later(() => import("./agents/agents-page.tsx"));
const StuckPage = later(() => import("./stuck/stuck-page.tsx"));
const ConnectPage = later(() => import("./connect/connect-page.tsx"));
const ActivityPage = later(() => import("./activity/activity-page.tsx"));
const Palette = later(() => import("./palette/palette.tsx"));
const Keys = later(() => import("./palette/keys.tsx"));
const SignIn = later(() => import("./session/sign-in.tsx"));

export function App() {
  const session = useSession();
  useEffect(() => void openPage(), []);
  return (
    <>
      {session.state === "unreachable" && (
        <main className="page">
          <Fault text={errorText(session.error)} onRetry={() => void openPage()} />
        </main>
      )}
      <Suspense fallback={null}>{session.state === "out" && <SignIn why={session.why} />}</Suspense>
      {session.state === "in" && <SignedIn me={session.me} />}
      <Toasts />
    </>
  );
}

function SignedIn({ me }: { me: Me }) {
  const [inBoard, params] = useRoute("/b/:board/*?");
  if (inBoard && params !== null) return <InBoard key={params.board} id={params.board ?? ""} me={me} />;
  return (
    <Suspense fallback={null}>
      <Switch>
        <Route path="/">
          <HomePage me={me} />
        </Route>
        <Route>
          <Redirect to="/" />
        </Route>
      </Switch>
    </Suspense>
  );
}

function InBoard({ id, me }: { id: string; me: Me }) {
  const [over, setOver] = useState<"palette" | "keys" | null>(null);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setOver("palette");
      }
      if (event.key === "?" && !isTyping(event.target)) setOver("keys");
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  const root = `/b/${id}`;
  return (
    <BoardRoom id={id} me={me}>
      <div className="shell">
        <a className="button skip" href="#main">
          To the content
        </a>
        <Nav onSearch={() => setOver("palette")} />
        <div className="stage">
          <Suspense fallback={null}>
            <Pages root={root} />
          </Suspense>
        </div>
      </div>
      <Suspense fallback={null}>
        {over === "palette" && <Palette onClose={() => setOver(null)} />}
        {over === "keys" && <Keys onClose={() => setOver(null)} />}
      </Suspense>
    </BoardRoom>
  );
}

/** A task that was opened from the board lies over it where there is room: the board stays as it was. */
function Pages({ root }: { root: string }) {
  const [onBoard] = useRoute(root);
  const [onTask, task] = useRoute(`${root}/t/:task`);
  const state = useHistoryState<{ over?: string } | null>();
  const over = onTask && state?.over === "board" && isWide();
  if (onBoard || over)
    return (
      <>
        <BoardPage />
        {/* Its own, so that the board stays drawn, and keeps its focus, while the drawer is fetched. */}
        <Suspense fallback={null}>
          {over && <TaskDrawer key={task.task} name={task.task} onClose={() => history.back()} />}
        </Suspense>
      </>
    );
  return (
    <Switch>
      <Route path={`${root}/t/:task`}>{({ task }) => <TaskPage key={task} name={task} />}</Route>
      <Route path={`${root}/graph`}>
        <GraphPage />
      </Route>
      <Route path={`${root}/runs`}>
        <RunsPage />
      </Route>
      <Route path={`${root}/agents`}>
        <AgentsPage />
      </Route>
      <Route path={`${root}/stuck`}>
        <StuckPage />
      </Route>
      <Route path={`${root}/connect`}>
        <ConnectPage />
      </Route>
      <Route path={`${root}/activity`}>
        <ActivityPage />
      </Route>
      <Route>
        <Empty title="There is no such page" />
      </Route>
    </Switch>
  );
}

function isWide(): boolean {
  return matchMedia("(min-width: 900px)").matches;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null
  );
}
