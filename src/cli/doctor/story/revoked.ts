/** Is a token that was revoked refused at once, and its task given back? */
import type { AtScratch, Check } from "../check.ts";
import { failed, good } from "../verdict.ts";
import { refusalOf, Within } from "../within.ts";

export const revoked: Check<AtScratch> = {
  name: "revoked",
  async run({ url, signal, lead, id }) {
    const { token, info } = await lead.mintToken({ agentId: "doctor-cal", role: "worker" });
    const cal = new Within(url, token, signal).board(id);
    const { task } = await lead.tasks.create({ title: "held by a token that ends" });
    await cal.claim(task.id);
    await lead.revokeToken(info.id);
    const refusal = await refusalOf(cal.get());
    if (refusal !== "token_revoked")
      return failed(
        `A token that was revoked is ${refusal ?? "still good"}.`,
        "Is an answer cached on the way?",
      );
    const { lease } = (await lead.tasks.get(task.id)).task;
    return lease === null
      ? good("A token that is revoked is refused at once, and what it held is given back.")
      : failed("A token is revoked, and what was claimed with it is still held.");
  },
};
