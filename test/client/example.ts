import { type Edgeboard, Refused, work } from "../../src/client/index.ts";

/** A worker: two tasks at once, until it is told to stop. */
export async function worker(edgeboard: Edgeboard, stop: AbortSignal) {
  const board = edgeboard.board(); // the one the token is for
  return work(
    board,
    async ({ task, keeper, handoff, signal }) => {
      const { tokens, summary } = await think(task.title, handoff?.next, signal);
      keeper.use({ outputTokens: tokens }); // goes with the next beat
      return { status: "in_review", summary }; // without a word: done
    },
    { concurrency: 2, filter: { labels: ["docs"] }, signal: stop },
  );
}

/** One task by hand. */
export async function byHand(edgeboard: Edgeboard, id: string) {
  const board = edgeboard.board();
  try {
    const { task, lease } = await board.claim(id);
    lease.keep({ onDirective: ({ kind, reason }) => console.log(kind, reason) });
    const { summary } = await think(task.title, undefined, lease.signal);
    await lease.complete({ outcome: "succeeded", status: "done", summary });
  } catch (error) {
    if (!Refused.is(error, "conflict")) throw error;
    console.log(`${error.problem.holder?.agentId} has it`);
  }
}

/** Whatever your work is; it stops when the signal says so. */
async function think(title: string, hint: string | undefined, signal: AbortSignal) {
  signal.throwIfAborted();
  return { tokens: 100, summary: `${title}: ${hint ?? "done"}` };
}
