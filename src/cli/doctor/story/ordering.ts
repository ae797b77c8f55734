/** Is a task kept back until what it waits for is done? */
import type { AtScratch, Check } from "../check.ts";
import { failed, good } from "../verdict.ts";
import { refusalOf } from "../within.ts";

export const ordering: Check<AtScratch> = {
  name: "ordering",
  async run({ lead, ann }) {
    const first = (await lead.tasks.create({ title: "first" })).task;
    const second = (await lead.tasks.create({ title: "second", dependsOn: [first.id] })).task;
    if (second.ready) return failed("A task is ready before what it waits for is done.");
    const refusal = await refusalOf(ann.claim(second.id));
    if (refusal !== "not_ready")
      return failed(`A task that waits is claimed, or refused for another reason: ${refusal ?? "claimed"}.`);
    const { lease } = await ann.claim(first.id);
    const { unblocked } = await lease.complete({ outcome: "succeeded", status: "done" });
    const { task } = await lead.tasks.get(second.id);
    return task.ready && unblocked.some(({ id }) => id === second.id)
      ? good("A task waits for another, and is ready when that is done.")
      : failed("A task is not ready though what it waited for is done.");
  },
};
