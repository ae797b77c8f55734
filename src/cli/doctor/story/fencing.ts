/** Is a holder that lost its task kept from writing to it, whatever it has not heard of? */
import type { AtScratch, Check } from "../check.ts";
import { failed, good } from "../verdict.ts";
import { refusalOf } from "../within.ts";

export const fencing: Check<AtScratch> = {
  name: "fencing",
  async run({ lead, ann, ben }) {
    const { task } = await lead.tasks.create({ title: "taken away" });
    const stale = (await ann.claim(task.id)).lease;
    await lead.tasks.edit(task.id, { status: "todo", displace: true });
    const { lease: fresh } = await ben.claim(task.id);
    if (fresh.epoch <= stale.epoch) return failed("A second grant of a task has no higher epoch.");
    const word = { outcome: "succeeded", status: "done" } as const;
    const says = [() => stale.heartbeat(), () => ann.lease(stale.grant).complete(word)];
    for (const say of says) {
      const refusal = await refusalOf(say());
      if (refusal !== "lease_lost")
        return failed(`A holder that lost its task still writes to it: ${refusal ?? "accepted"}.`);
    }
    await fresh.complete(word);
    return good("A lease that was lost is good for nothing, and its successor's is.");
  },
};
