/** The board: seven columns, what of them is looked at, and what can be done with a card. */
import { Suspense, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useSearch } from "wouter-preact";
import { isTerminal, TASK_STATUSES, type TaskStatus } from "../../rules/status.ts";
import { type Filter, readFilter, writeFilter } from "../room/filter.ts";
import { useBoard, useCounts, useRoom, useTopic } from "../room/room.tsx";
import { openView } from "../room/views.ts";
import { ConnectionBadge } from "../shell/connection-badge.tsx";
import { later } from "../shell/later.tsx";
import { useTitle } from "../shell/page.tsx";
import { Fault } from "../ui/fault.tsx";
import { Icon } from "../ui/icon.tsx";
import { useMedia } from "../ui/media.ts";
import { errorText } from "../ui/problem.ts";
import { useBoardKeys } from "./board-keys.ts";
import { BoardState } from "./board-state.tsx";
import { Column } from "./column.tsx";
import { ColumnTabs } from "./column-tabs.tsx";
import { useDragScroll, useDrops } from "./drag.ts";
import { FilterBar } from "./filter-bar.tsx";
import { revealCard } from "./focus.ts";
import { useMove } from "./use-move.tsx";
import "./board.css";

const EmptyBoard = later(() => import("./empty-board.tsx"));
const MoveMenu = later(() => import("./move-menu.tsx"));
const NewTask = later(() => import("./new-task.tsx"));

export function BoardPage() {
  const room = useRoom();
  const { store, may } = room;
  const name = useBoard()?.name ?? room.id;
  useTitle(name);
  const [filter, setFilter] = useFilter();
  const viewKey = writeFilter(filter);
  const view = useView(filter);
  const narrow = useMedia("(max-width: 640px)");
  const [column, setColumn] = useState<TaskStatus>("in_progress");
  const [folded, setFolded] = useState<ReadonlySet<TaskStatus>>(
    () => new Set(TASK_STATUSES.filter((status) => isTerminal(status))),
  );
  const fold = useCallback((status: TaskStatus, now: boolean) => {
    setFolded((last) => {
      const next = new Set(last);
      if (now) next.add(status);
      else next.delete(status);
      return next;
    });
  }, []);
  const open = useMemo(
    () => (narrow ? [column] : TASK_STATUSES.filter((status) => !folded.has(status))),
    [narrow, column, folded],
  );
  const [menu, setMenu] = useState<string | null>(null);
  const [creating, setCreating] = useState(false);
  const { move, question } = useMove();
  useDrops(move);
  useBoardKeys({ viewKey, open, onMenu: setMenu, onNew: may("worker") ? () => setCreating(true) : null });
  const pick = (id: string, to: TaskStatus) => {
    setMenu(null);
    fold(to, false);
    if (narrow) setColumn(to);
    move(id, to);
    revealCard({ id, status: to });
  };
  return (
    <main className="board" id="main" tabIndex={-1}>
      <header className="board-header">
        <h1 className="foreign">{name}</h1>
        <ConnectionBadge />
        <div className="page-actions">
          <BoardState />
          {may("worker") && (
            <button type="button" className="button" data-kind="primary" onClick={() => setCreating(true)}>
              <Icon name="plus" />
              New task
            </button>
          )}
        </div>
        <FilterBar filter={filter} onFilter={setFilter} />
      </header>
      {view?.state === "failed" && (
        <Fault text={errorText(view.error)} onRetry={() => openView(room.board, store, filter)} />
      )}
      {narrow && <ColumnTabs current={column} onPick={setColumn} />}
      <Columns empty={viewKey === ""}>
        {(narrow ? [column] : TASK_STATUSES).map((status) => (
          <Column
            key={`${viewKey}\n${status}`}
            status={status}
            viewKey={viewKey}
            folded={!narrow && folded.has(status)}
            onFold={fold}
            onMenu={setMenu}
          />
        ))}
      </Columns>
      <Suspense fallback={null}>
        {menu !== null && (
          <MoveMenu id={menu} onPick={(to) => pick(menu, to)} onClose={() => setMenu(null)} />
        )}
        {creating && <NewTask onClose={() => setCreating(false)} />}
      </Suspense>
      {question}
    </main>
  );
}

/** Seven empty boxes say nothing: a board without a single task shows how one comes there. */
function Columns({ empty, children }: { empty: boolean; children: React.ReactNode }) {
  const counts = useCounts();
  const box = useRef<HTMLDivElement>(null);
  useDragScroll(box);
  if (empty && counts !== null && Object.values(counts).every((number) => number === 0))
    return (
      <Suspense fallback={null}>
        <EmptyBoard />
      </Suspense>
    );
  return (
    <div ref={box} className="columns">
      {children}
    </div>
  );
}

function useFilter(): [Filter, (filter: Filter) => void] {
  const search = useSearch();
  const [path, go] = useLocation();
  const filter = useMemo(() => readFilter(search), [search]);
  const set = (next: Filter) => {
    const text = writeFilter(next);
    go(text === "" ? path : `${path}?${text}`, { replace: true, state: history.state });
  };
  return [filter, set];
}

function useView(filter: Filter) {
  const { board, store } = useRoom();
  const key = writeFilter(filter);
  const known = useTopic(`view:${key}`, () => store.columns.view(key));
  useTopic(`view:${key}`, () => store.columns.view(key)?.state);
  useEffect(() => {
    if (known === null) openView(board, store, filter);
  }, [board, store, filter, known]);
  return known;
}
