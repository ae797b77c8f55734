/** What a soak begins with: a board full of tasks, and a token for each worker. */
import type { Board } from "../../src/client/index.ts";

const PLAN = 1_000;
/** Tasks come in rows, each waiting for the one before it. */
const ROW = 5;

export async function fill(board: Board, count: number): Promise<void> {
  for (let from = 0; from < count; from += PLAN) {
    const tasks = Array.from({ length: Math.min(PLAN, count - from) }, (_, n) => ({
      ref: `t${n}`,
      title: `Task ${from + n}`,
      dependsOn: n % ROW === 0 ? [] : [`t${n - 1}`],
    }));
    await board.createPlan({ tasks });
  }
}

export async function mintWorkers(board: Board, count: number): Promise<string[]> {
  const tokens: string[] = [];
  for (let n = 1; n <= count; n++)
    tokens.push((await board.mintToken({ agentId: `worker-${n}`, role: "worker" })).token);
  return tokens;
}
