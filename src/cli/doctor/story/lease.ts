/** Has a task one holder, whose beats are heard? */
import { Refused } from "../../../client/errors.ts";
import type { AtScratch, Check } from "../check.ts";
import { failed, good } from "../verdict.ts";

export const lease: Check<AtScratch> = {
  name: "lease",
  async run({ lead, ann, ben }) {
    const { task } = await lead.tasks.create({ title: "held" });
    const claim = await ann.claim(task.id);
    const claimed = (await lead.tasks.get(task.id)).task.lease;
    const { lease: beaten } = await claim.lease.heartbeat();
    if (claimed === null || beaten.expiresAt < claimed.expiresAt)
      return failed("A beat does not prolong the lease it is for.");
    const rival = await ben.claim(task.id).then(
      () => null,
      (error: unknown) => error,
    );
    if (rival === null) return failed("Two agents hold one task: a second claim was granted.");
    if (!Refused.is(rival, "conflict")) throw rival;
    if (rival.problem.holder?.agentId !== claimed.agentId)
      return failed("A rival is refused, and not told who has the task.");
    await claim.lease.complete({ outcome: "succeeded", status: "done" });
    return good("A task is claimed once; its holder's beats count, and a rival is told who has it.");
  },
};
