/** Many workers in one process, each with a token of its own, as the published client has them. */
import { setTimeout as sleep } from "node:timers/promises";
import { Edgeboard, work } from "../../src/client/index.ts";
import type { Told } from "./soak-check.ts";

/** What it is started with. */
export interface CrewPlan {
  url: string;
  board: string;
  tokens: string[];
  /** How long a task takes, half of it to half as much again. */
  workMs: number;
}

const plan = JSON.parse(process.argv[2] ?? "") as CrewPlan;
const home = new AbortController();

process.once("message", () => home.abort());
process.on("disconnect", () => process.exit(0));

await Promise.all(
  plan.tokens.map((token) => {
    const board = new Edgeboard({ url: plan.url, token }).board(plan.board);
    return work(board, ({ signal }) => toil(signal), {
      // What is in hand is finished.
      enough: home.signal,
      onEnd: ({ lease }, { how }) =>
        void process.send?.({ taskId: lease.taskId, epoch: lease.epoch, how } satisfies Told),
    });
  }),
);
process.disconnect?.();

async function toil(signal: AbortSignal) {
  await sleep(plan.workMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {});
  return { outcome: "succeeded", status: "done" } as const;
}
