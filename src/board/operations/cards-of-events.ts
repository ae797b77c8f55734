/** What stands now of the tasks that events tell of, for readers who show cards and keep no rules. */
import type { ToldCards } from "../../contract/answers.ts";
import { FRAME_CARDS_MAX, FRAME_CARDS_MAX_CHARS } from "../../contract/limits.ts";
import type { TaskCard } from "../../contract/task.ts";
import { isTerminal } from "../../rules/status.ts";
import { cardOf } from "../card.ts";
import { readCounts } from "../store/counts.ts";
import { someDependentIds } from "../store/dependencies.ts";
import type { EventRow, TaskRow } from "../store/rows.ts";
import { findTasks } from "../store/tasks.ts";
import { type View, viewTasks } from "../view.ts";

/** Cards and counts as they are at `asOf`, the log's end. Too many or too heavy for one answer: none of the cards. */
export function cardsOfEvents(view: View, events: readonly EventRow[], asOf: number): ToldCards {
  const cards = events.some(turnsEveryLease) ? null : readCards(view, events);
  const told = { cards: cards ?? [], counts: readCounts(view.sql), asOf };
  return cards === null ? { ...told, cardsCut: true } : told;
}

/** Another time to live moves the end of each lease, and no event says so of its task. */
function turnsEveryLease({ kind, data }: EventRow): boolean {
  return kind === "board_changed" && JSON.parse(data).settings !== undefined;
}

function readCards(view: View, events: readonly EventRow[]): TaskCard[] | null {
  const named = new Set(events.flatMap(({ task_id: id }) => (id === null ? [] : [id])));
  const rows = findTasks(view.sql, [...named]);
  const waiting = waitingFor(view, rows, events).filter((id) => !named.has(id));
  if (rows.length + waiting.length > FRAME_CARDS_MAX) return null;
  if (waiting.length > 0) rows.push(...findTasks(view.sql, waiting));
  const cards = viewTasks(view, rows).map(cardOf);
  const chars = cards.reduce((sum, card) => sum + JSON.stringify(card).length, 0);
  return chars > FRAME_CARDS_MAX_CHARS ? null : cards;
}

/** The kinds that may tell of a task's end; nothing comes back from there, so it is told once. */
const ENDS = new Set(["status_changed", "execution_completed"]);

/** Who waits for what has ended: the only change to a card that no event names. */
function waitingFor(view: View, rows: readonly TaskRow[], events: readonly EventRow[]): string[] {
  const moved = new Set(events.filter(({ kind }) => ENDS.has(kind)).map(({ task_id: id }) => id));
  const ended = rows.filter(({ id, status }) => moved.has(id) && isTerminal(status)).map(({ id }) => id);
  return ended.length === 0 ? [] : someDependentIds(view.sql, ended, FRAME_CARDS_MAX + 1);
}
