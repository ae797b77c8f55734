/** The board that is looked at: what every page below it draws from. It stays while one goes from page to page. */
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from "react";
import type { Board } from "../../client/board.ts";
import { Refused } from "../../client/errors.ts";
import type { Me } from "../../contract/answers.ts";
import type { BoardEvent } from "../../contract/events.ts";
import type { Role } from "../../contract/roles.ts";
import { server } from "../server.ts";
import { mayAs, sessionEnded } from "../session/session.ts";
import { Empty } from "../ui/empty.tsx";
import { Fault } from "../ui/fault.tsx";
import { errorText } from "../ui/problem.ts";
import { STATUS_NAMES } from "../ui/status.tsx";
import { notify } from "../ui/toasts.tsx";
import type { Card } from "./card.ts";
import { Connection } from "./connection.ts";
import { joinBoard } from "./join.ts";
import { Store } from "./store.ts";

export interface Room {
  id: string;
  /** Its calls. */
  board: Board;
  store: Store;
  connection: Connection;
  me: Me;
  /** Whether who is signed in has at least this role. */
  may: (role: Role) => boolean;
}

const RoomContext = createContext<Room | null>(null);

export function useRoom(): Room {
  const room = useContext(RoomContext);
  if (room === null) throw new Error("this is drawn outside of a board");
  return room;
}

export function BoardRoom({ id, me, children }: { id: string; me: Me; children: ReactNode }) {
  const [attempt, setAttempt] = useState(0);
  const [ended, setEnded] = useState<"gone" | null>(null);
  const [fault, setFault] = useState<unknown>(null);
  const room = useMemo<Room>(
    () => ({
      id,
      board: server.board(id),
      store: new Store(me),
      connection: new Connection(),
      me,
      may: (role) => mayAs(me, role),
    }),
    [id, me, attempt],
  );
  useEffect(() => {
    const leave = new AbortController();
    setFault(null);
    setEnded(null);
    room.store.onOvertaken = (card) =>
      notify(
        `n${card.number} was moved by somebody else: it is ${STATUS_NAMES[card.status].toLowerCase()}.`,
        "bad",
      );
    joinBoard(room.board, room.store, room.connection, leave.signal).then(
      (end) => {
        if (end === "unauthorized") sessionEnded();
        if (end === "gone") setEnded("gone");
      },
      (error) => {
        if (leave.signal.aborted) return;
        if (Refused.is(error, "unauthenticated", "token_expired", "token_revoked")) sessionEnded();
        else setFault(error);
      },
    );
    return () => leave.abort();
  }, [room]);
  if (ended === "gone")
    return <Empty title="This board is gone">It was deleted while you looked at it.</Empty>;
  if (fault !== null)
    return (
      <main className="page">
        <Fault text={errorText(fault)} onRetry={() => setAttempt(attempt + 1)} />
      </main>
    );
  return <RoomContext.Provider value={room}>{children}</RoomContext.Provider>;
}

/** The board itself with its settings; null until it is known. */
export function useBoard() {
  const { store } = useRoom();
  return useTopic("board", () => store.board);
}

export function useCounts() {
  const { store } = useRoom();
  return useTopic("counts", () => store.counts);
}

export function useCard(id: string): Card | null {
  const { store } = useRoom();
  return useTopic(`card:${id}`, () => store.card(id));
}

/** How the page stands with its board. */
export function useConnection(): Connection["state"] {
  const { connection } = useRoom();
  return useSyncExternalStore(connection.onChange, () => connection.state);
}

/** What `read` makes of the store, whenever a topic changes. It has to answer the same for the same. */
export function useTopic<T>(topic: string, read: () => T): T {
  const { store } = useRoom();
  const listen = useMemo(() => (hear: () => void) => store.topics.on(topic, hear), [store, topic]);
  return useSyncExternalStore(listen, read);
}

/** Tells of every change on the board, as it comes. */
export function useEvents(hear: (events: readonly BoardEvent[]) => void): void {
  const { store } = useRoom();
  useEffect(() => store.onEvents(hear), [store, hear]);
}
