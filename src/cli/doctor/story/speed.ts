/** How long do readers and writers wait? */
import type { AtScratch, Check } from "../check.ts";
import { inWords, timed } from "../times.ts";
import { good } from "../verdict.ts";

export const speed: Check<AtScratch> = {
  name: "speed",
  async run({ lead }) {
    const read = await timed(() => lead.get());
    const write = await timed(() => lead.tasks.create({ title: "one of ten" }));
    return good(`A read takes ${inWords(read)}; a write ${inWords(write)}.`, {
      ...{ readP50Ms: read.p50, readMostMs: read.most },
      ...{ writeP50Ms: write.p50, writeMostMs: write.most },
    });
  },
};
