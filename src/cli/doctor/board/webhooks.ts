/** Do the board's webhooks get through? */
import type { Webhook } from "../../../contract/webhook.ts";
import { count } from "../../words.ts";
import type { AtBoard, Check } from "../check.ts";
import { failed, good, skipped, type Verdict, warning } from "../verdict.ts";

export const webhooks: Check<AtBoard> = {
  name: "webhooks",
  async run({ board, me }) {
    if (me.role !== "lead" && me.role !== "operator")
      return skipped("Webhooks are a lead's to see.", "A lead's token shows how they are.");
    return judgeWebhooks((await board.listWebhooks()).webhooks);
  },
};

export function judgeWebhooks(webhooks: Webhook[]): Verdict {
  if (webhooks.length === 0) return good("The board has no webhooks.");
  const given = webhooks.filter(({ disabledReason }) => disabledReason === "failing");
  if (given.length > 0)
    return failed(
      `Given up after a day of failures, and told nothing more: ${hosts(given)}.`,
      "Mend the receiver, then `PATCH` the webhook with {disabled: false}; see docs/webhooks.md.",
    );
  const gone = webhooks.filter(({ disabledReason }) => disabledReason === "gone");
  if (gone.length > 0)
    return warning(`The receiver wants no more (410): ${hosts(gone)}.`, "Delete what nobody listens to.");
  const failing = webhooks.filter(({ state, failures }) => state === "active" && failures > 0);
  if (failing.length > 0)
    return warning(
      `Not getting through at present: ${hosts(failing)}.`,
      "Its log of deliveries says what the receiver answers; see docs/webhooks.md.",
    );
  return good(`${count(webhooks.length, "webhook")}, and no failure since the last delivery.`);
}

/** The rest of a URL may hold a secret of its receiver. */
const hosts = (webhooks: Webhook[]): string => webhooks.map(({ url }) => new URL(url).host).join(", ");
