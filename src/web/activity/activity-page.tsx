/** What happened on the board, newest first; and who used a privilege, which is kept for good. */
import { useCallback, useEffect, useRef } from "react";
import type { AuditEntry, BoardEvent, EventKind } from "../../contract/events.ts";
import { useEvents, useRoom } from "../room/room.tsx";
import { Page } from "../shell/page.tsx";
import { tellEvent } from "../ui/told.ts";
import { useFeed } from "./feed.ts";
import { FeedList } from "./feed-list.tsx";
import { Filters, type Looked, useLooked } from "./filters.tsx";
import { readKind } from "./kinds.ts";
import { tellPrivilege } from "./privileges.ts";
import "./activity.css";

const PAGE = 50;
/** After these, somebody may have used a privilege. */
const PRIVILEGED: ReadonlySet<EventKind> = new Set([
  "status_changed",
  "task_released",
  "task_dropped",
  "task_claimed",
  "stop_requested",
  "board_changed",
  "token_minted",
  "token_revoked",
  "task_created",
]);
const LOOK_AGAIN_MS = 1_000;

export default function ActivityPage() {
  const [looked, change] = useLooked();
  return (
    <Page title="Activity">
      <Filters looked={looked} onChange={change} />
      {looked.privileges ? <Privileges looked={looked} /> : <Events looked={looked} />}
    </Page>
  );
}

function Events({ looked }: { looked: Looked }) {
  const { board } = useRoom();
  const kind = readKind(looked.kind);
  const { actor } = looked;
  const feed = useFeed<BoardEvent>(
    `${actor}\n${kind}`,
    async (cursor, signal) => {
      const page = await board.events(
        {
          order: "desc",
          limit: PAGE,
          ...(actor === "" ? {} : { actor }),
          ...(kind === null ? {} : { kind: [kind] }),
          ...(cursor === null ? {} : { cursor }),
        },
        { signal },
      );
      return { items: page.events, cursor: page.nextCursor };
    },
    ({ seq }) => seq,
  );
  const { hear } = feed;
  useEvents(
    useCallback(
      (events) =>
        hear(
          events.filter(
            (event) => (actor === "" || event.actor.id === actor) && (kind === null || event.kind === kind),
          ),
        ),
      [hear, actor, kind],
    ),
  );
  return (
    <FeedList
      feed={feed}
      lineOf={(event) => ({
        key: event.seq,
        at: event.at,
        actor: event.actor.id,
        taskId: event.taskId,
        kind: event.kind,
        told: tellEvent(event),
      })}
    />
  );
}

function Privileges({ looked }: { looked: Looked }) {
  const { board } = useRoom();
  const { actor, kind } = looked;
  const read = async (cursor: string | null, signal?: AbortSignal) => {
    const page = await board.audit(
      {
        limit: PAGE,
        ...(actor === "" ? {} : { actor }),
        ...(kind === "" ? {} : { kind }),
        ...(cursor === null ? {} : { cursor }),
      },
      { signal },
    );
    return { items: page.entries, cursor: page.nextCursor };
  };
  const feed = useFeed<AuditEntry>(`${actor}\n${kind}`, read, ({ id }) => id);
  const latest = useRef(() => {});
  latest.current = () => void read(null).then(({ items }) => feed.hear(items), ignore);
  const again = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(again.current), []);
  // The audit has no live events of its own: it is looked at again after what may have written to it.
  useEvents(
    useCallback((events) => {
      if (again.current !== undefined || !events.some((event) => PRIVILEGED.has(event.kind))) return;
      again.current = setTimeout(() => {
        again.current = undefined;
        latest.current();
      }, LOOK_AGAIN_MS);
    }, []),
  );
  return (
    <FeedList
      feed={feed}
      lineOf={(entry) => ({
        key: entry.id,
        at: entry.at,
        actor: entry.actorId,
        taskId: entry.taskId,
        kind: entry.kind,
        told: tellPrivilege(entry),
      })}
    />
  );
}

/** The next event looks again. */
const ignore = () => {};
