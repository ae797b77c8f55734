/** A card: what a task is, who has it, and what it waits for. */
import { memo } from "react";
import { Link, useSearch } from "wouter-preact";
import { isDeferred } from "../../rules/readiness.ts";
import { type Card, isCardReady } from "../room/card.ts";
import { useCard, useRoom, useTopic } from "../room/room.tsx";
import { duration } from "../ui/format.ts";
import { Icon } from "../ui/icon.tsx";
import { taskPath } from "../ui/task-link.tsx";
import { useTime } from "../ui/time.ts";
import { LeaseClock } from "./lease-clock.tsx";

const VERDICTS = {
  pass: { text: "Passed", tone: "good" },
  completed_with_debt: { text: "Passed with debt", tone: "warn" },
  fail: { text: "Failed review", tone: "bad" },
} as const;

interface CardViewProps {
  id: string;
  /** Whether the Tab key comes here. */
  tabStop: boolean;
  onMenu: (id: string) => void;
}

export const CardView = memo(function CardView({ id, tabStop, onMenu }: CardViewProps) {
  const { id: board, store } = useRoom();
  const card = useCard(id);
  const moving = useTopic(`card:${id}`, () => store.move(id) !== null);
  const unread = useTopic(`card:${id}`, () => store.isUnread(id));
  const search = useSearch();
  if (card === null) return null;
  const path = taskPath(board, card.number);
  return (
    <>
      <Link
        href={search === "" ? path : `${path}?${search}`}
        state={{ over: "board" }}
        className="card"
        draggable={false}
        tabIndex={tabStop ? 0 : -1}
        data-card={id}
        data-moving={moving || undefined}
      >
        <span className="card-top">
          <span className="card-number">n{card.number}</span>
          {card.priority > 0 && (
            <span className="card-priority" data-high={card.priority >= 7 || undefined} title="Priority">
              P{card.priority}
            </span>
          )}
          {unread && (
            <span className="card-unread" title="Somebody said something">
              <Icon name="note" />
              <span className="visually-hidden">Unread note</span>
            </span>
          )}
        </span>
        <bdi className="card-title foreign">{card.title}</bdi>
        <Facts card={card} />
      </Link>
      <button
        type="button"
        className="card-menu"
        tabIndex={-1}
        aria-label={`Move n${card.number}`}
        onClick={() => onMenu(id)}
      >
        <Icon name="more" />
      </button>
    </>
  );
});

/** What matters most stands first: what does not fit in one line is cut. */
function Facts({ card }: { card: Card }) {
  const verdict = card.verdict === null ? null : VERDICTS[card.verdict];
  return (
    <span className="card-facts">
      {card.lease !== null && <LeaseClock lease={card.lease} />}
      {card.lease === null && card.status === "in_progress" && (
        <span className="tag" data-tone="warn">
          no lease
        </span>
      )}
      {verdict !== null && (
        <span className="tag" data-tone={verdict.tone}>
          {verdict.text}
        </span>
      )}
      <Waiting card={card} />
      {card.attemptStreak > 0 && (
        <span className="tag" data-tone="warn" title="Attempts in a row that failed">
          {card.attemptStreak} failed
        </span>
      )}
      {card.status === "blocked" && card.blockedReason !== null ? (
        <bdi className="card-note foreign" title={card.blockedReason}>
          {card.blockedReason}
        </bdi>
      ) : (
        card.assigneeAgentId !== null && (
          <bdi className="card-note foreign" title="Who has it">
            {card.assigneeAgentId}
          </bdi>
        )
      )}
      {card.labels.slice(0, 2).map((label) => (
        <span key={label} className="tag card-label">
          <bdi>{label}</bdi>
        </span>
      ))}
    </span>
  );
}

function Waiting({ card }: { card: Card }) {
  const { store } = useRoom();
  const state = useTime((now) => {
    const at = now + store.skewMs;
    if (card.status !== "todo" && card.status !== "backlog") return null;
    if (card.openDependencies > 0) return `waits for ${card.openDependencies}`;
    if (card.notBefore !== null && isDeferred(card.notBefore, at))
      return `in ${duration(card.notBefore - at)}`;
    return isCardReady(card, at) ? "ready" : null;
  });
  if (state === null) return null;
  return (
    <span className="tag" data-tone={state === "ready" ? "good" : undefined}>
      {state.startsWith("waits") && <Icon name="link" />}
      {state}
    </span>
  );
}
