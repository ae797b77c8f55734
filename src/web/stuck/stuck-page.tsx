/** What needs a person: by reason, with the way out in every row. */
import { Link, useSearchParams } from "wouter-preact";
import type { EventKind } from "../../contract/events.ts";
import type { StuckPage as Answer, StuckReason } from "../../contract/insight.ts";
import { LIST_MAX } from "../../contract/limits.ts";
import { useEveryMinute } from "../room/every-minute.ts";
import { useResource } from "../room/resource.ts";
import { useRoom } from "../room/room.tsx";
import { Page } from "../shell/page.tsx";
import { Empty } from "../ui/empty.tsx";
import { count } from "../ui/format.ts";
import { useKeptFocus } from "../ui/kept-focus.ts";
import { Loaded } from "../ui/loaded.tsx";
import { REASON_ORDER, REASONS } from "./reasons.ts";
import { StuckRow } from "./stuck-row.tsx";
import "./stuck.css";

/** These never make a task stuck, nor free it. */
const OF_NO_MATTER: ReadonlySet<EventKind> = new Set([
  "comment_added",
  "workspace_changed",
  "verification_recorded",
  "webhook_disabled",
  "budget_warning",
]);

export default function StuckPage() {
  const { board } = useRoom();
  const [params] = useSearchParams();
  const asked = REASON_ORDER.find((reason) => reason === params.get("reason"));
  const stuck = useResource(
    `stuck:${asked ?? ""}`,
    (signal) =>
      board.stuck({ limit: LIST_MAX, ...(asked === undefined ? {} : { reason: asked }) }, { signal }),
    ({ kind }) => !OF_NO_MATTER.has(kind),
  );
  // Time alone makes a run too long.
  useEveryMinute(stuck.reload);
  useKeptFocus(stuck.value);
  return (
    <Page title="Stuck" lead="What does not go on without a person, and what that person can do.">
      <Loaded resource={stuck}>
        {(answer) => (
          <>
            <Reasons counts={answer.counts} atLeast={answer.atLeast} asked={asked} />
            {answer.stuck.length === 0 ? (
              <Empty title={asked === undefined ? "Nothing needs you" : "Nothing of this kind needs you"}>
                <p>What gets stuck shows up here by itself.</p>
              </Empty>
            ) : (
              <Groups answer={answer} onDone={stuck.reload} />
            )}
            {answer.hasMore && (
              <p className="soft">These are the first {answer.stuck.length}. The rest follows as they go.</p>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Reasons({
  counts,
  atLeast,
  asked,
}: Pick<Answer, "counts" | "atLeast"> & { asked: StuckReason | undefined }) {
  const { id } = useRoom();
  const shown = REASON_ORDER.filter((reason) => counts[reason] > 0 || reason === asked);
  if (shown.length < 2 && asked === undefined) return null;
  const total = REASON_ORDER.reduce((sum, reason) => sum + counts[reason], 0);
  const number = (reason: StuckReason) => `${count(counts[reason])}${atLeast.includes(reason) ? "+" : ""}`;
  return (
    <nav className="stuck-reasons" aria-label="Reasons">
      <Link
        href={`/b/${id}/stuck`}
        className="button"
        aria-current={asked === undefined ? "page" : undefined}
      >
        All <span className="soft">{count(total)}</span>
      </Link>
      {shown.map((reason) => (
        <Link
          key={reason}
          href={`/b/${id}/stuck?reason=${reason}`}
          className="button"
          aria-current={asked === reason ? "page" : undefined}
        >
          {REASONS[reason].title} <span className="soft">{number(reason)}</span>
        </Link>
      ))}
    </nav>
  );
}

function Groups({ answer, onDone }: { answer: Answer; onDone: () => void }) {
  return REASON_ORDER.map((reason) => {
    const rows = answer.stuck.filter((stuck) => stuck.reason === reason);
    if (rows.length === 0) return null;
    const { title, means } = REASONS[reason];
    return (
      <section key={reason} className="panel stuck-group" aria-labelledby={`stuck-${reason}`}>
        <header>
          <h2 id={`stuck-${reason}`}>{title}</h2>
          <span className="tag">{count(answer.counts[reason])}</span>
          <p className="soft">{means}</p>
        </header>
        <ul>
          {rows.map((stuck) => (
            <StuckRow key={stuck.task.id} stuck={stuck} onDone={onDone} />
          ))}
        </ul>
      </section>
    );
  });
}
