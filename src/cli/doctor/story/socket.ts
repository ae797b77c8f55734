/** Is a change told at once to whoever follows, and what was missed after a cut, all of it and once? */
import type { BoardEvent } from "../../../contract/events.ts";
import { NO_SOCKET, TOO_OLD } from "../board/follow.ts";
import type { AtScratch, Check } from "../check.ts";
import { eventsUpTo, frames, greeting, HAS_SOCKETS } from "../frames.ts";
import { failed, good, type Verdict } from "../verdict.ts";

export const socket: Check<AtScratch> = {
  name: "socket",
  async run(at) {
    if (!HAS_SOCKETS) return TOO_OLD;
    const { lead, tokens, id: board } = at;
    const open = (after: number) => frames(at, { board, token: tokens.lead, after });
    const create = async (title: string) => (await lead.tasks.create({ title })).task.changeSeq;

    const { seq: from } = await lead.get();
    const line = open(from);
    if ((await greeting(line)) === null) return NO_SOCKET;
    const sentAt = performance.now();
    const seen = await create("told at once");
    const told = await eventsUpTo(line, seen);
    const toldMs = Math.round(performance.now() - sentAt);
    await line.return();

    const missed = await create("told after the cut");
    const resumed = open(seen);
    if ((await greeting(resumed)) === null) return NO_SOCKET;
    const more = await eventsUpTo(resumed, missed);
    await resumed.return();
    return judgeTold([told, more], { from, to: missed, toldMs });
  },
};

/** Every number between the two ends, once and in order, over both connections together. */
export function judgeTold(
  parts: [BoardEvent[], BoardEvent[]],
  { from, to, toldMs }: { from: number; to: number; toldMs: number },
): Verdict {
  const [first, second] = parts.map((events) => events.map(({ seq }) => seq)) as [number[], number[]];
  const wanted = Array.from({ length: to - from }, (_, at) => from + 1 + at);
  if (first.length === 0) return failed("A socket opens, and is told nothing of a change.");
  if ([...first, ...second].join() === wanted.join())
    return good(`A change is told within ${toldMs} ms of being asked for, and nothing is lost by a cut.`, {
      toldMs,
    });
  return failed(
    `A reader that was cut off should have heard of ${from + 1} to ${to}, and heard ${[...first, ...second].join(", ")}.`,
  );
}
