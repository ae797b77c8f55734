/** Does an event arrive at a webhook, signed? */
import type { Answer } from "../../../client/calls.ts";
import { Refused } from "../../../client/errors.ts";
import { pause } from "../../../client/pause.ts";
import type { Delivery } from "../../../contract/webhook.ts";
import { Failure } from "../../failure.ts";
import type { AtScratch, Check } from "../check.ts";
import { isLoopback } from "../place.ts";
import { type Delivered, openReceiver, type Receiver } from "../receiver.ts";
import { failed, good, skipped, type Verdict } from "../verdict.ts";

const ELSEWHERE = "`--webhook <https address>` tries one that answers there.";
const LOOK_MS = 200;

export const webhook: Check<AtScratch> = {
  name: "webhook",
  async run(at) {
    if (at.webhook !== undefined) return judgeDelivery(await deliver(at, at.webhook));
    if (!isLoopback(at.url)) return skipped("The server cannot reach this machine.", ELSEWHERE);
    const receiver = await openReceiver();
    try {
      return await here(at, receiver);
    } finally {
      receiver.close();
    }
  },
};

/** To ourselves: what arrives is looked at, too. */
async function here(at: AtScratch, { url, got }: Receiver): Promise<Verdict> {
  try {
    const sent = await deliver(at, url);
    const verdict = judgeDelivery(sent);
    const [delivered] = got;
    if (verdict.state === "failed" || delivered === undefined)
      return failed(`Nothing arrived here: ${verdict.detail}`, `Does the server run elsewhere? ${ELSEWHERE}`);
    return await judgeSignature(delivered, sent);
  } catch (error) {
    if (Refused.is(error, "invalid_request"))
      return skipped("This deployment sends to public hosts only.", ELSEWHERE);
    throw error;
  }
}

interface Sent {
  secret: string;
  board: string;
  seq: number;
  delivery: Delivery;
}

/** Subscribes, changes something, and waits for the end of the first attempt. */
async function deliver(at: AtScratch, url: string): Promise<Sent> {
  const { lead, id: board } = at;
  const { webhook, secret } = await lead.createWebhook({ url, kinds: ["task_created"] });
  const { changeSeq: seq } = (await lead.tasks.create({ title: "told to a webhook" })).task;
  for (;;) {
    at.signal.throwIfAborted();
    const log: Answer<"listDeliveries"> = await lead.call("listDeliveries", { params: { id: webhook.id } });
    const delivery = log.deliveries.find(({ id }) => id === seq);
    if (delivery === undefined) throw new Failure("An event is not in the log of the webhook that wants it.");
    if (delivery.state !== "pending" || delivery.lastStatus !== null || delivery.lastError !== null)
      return { secret, board, seq, delivery };
    await pause(LOOK_MS, at.signal);
  }
}

export function judgeDelivery({ delivery }: Pick<Sent, "delivery">): Verdict {
  const { state, lastStatus, lastError } = delivery;
  if (state === "delivered")
    return good(
      `An event was delivered; the receiver answered ${lastStatus}. Its signature is not looked at.`,
    );
  return failed(
    `A delivery failed: ${lastStatus === null ? lastError : `the receiver answered ${lastStatus}`}.`,
    "A receiver has to answer 2xx within five seconds.",
  );
}

/** By the scheme's own library, as receivers do it. */
export async function judgeSignature(
  { headers, body }: Delivered,
  { secret, board, seq }: Pick<Sent, "secret" | "board" | "seq">,
): Promise<Verdict> {
  const { Webhook } = await import("standardwebhooks");
  let data: { board?: string; seq?: number };
  try {
    ({ data } = new Webhook(secret).verify(body, headers as Record<string, string>) as { data: object });
  } catch (error) {
    return failed(
      `An event arrived, and its signature is not good: ${(error as Error).message}.`,
      "Is EDGEBOARD_SIGNING_KEY the same for all that is deployed?",
    );
  }
  return data.board === board && data.seq === seq
    ? good("An event arrives at a receiver, and its signature holds.")
    : failed("What arrived is signed, but is not the event that was to be told.");
}
