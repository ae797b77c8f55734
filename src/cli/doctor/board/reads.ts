/** How long does a reader wait? */
import type { AtBoard, Check } from "../check.ts";
import { inWords, timed } from "../times.ts";
import { good } from "../verdict.ts";

export const reads: Check<AtBoard> = {
  name: "reads",
  async run({ board }) {
    const { p50, most } = await timed(() => board.get());
    return good(`A read takes ${inWords({ p50, most })}.`, { readP50Ms: p50, readMostMs: most });
  },
};
