import { webhookSecret } from "../../board/webhook-signature.ts";
import { LIST_DEFAULT } from "../../contract/limits.ts";
import type { Refusal } from "../../contract/result.ts";
import * as routes from "../../contract/routes/webhooks.ts";
import { urlFault } from "../../rules/webhook-url.ts";
import { answer, handle } from "../mount.ts";
import { invalid } from "../validate.ts";
import { badCursor, readNumber } from "./tasks.ts";

export const webhooks = [
  handle(routes.createWebhook, async ({ env, board, call, body }) => {
    const fault = badUrl(env, body.url);
    if (fault !== null) return fault;
    const created = await board.createWebhook(call, { url: body.url, kinds: body.kinds ?? null });
    if (!created.ok) return created;
    const { webhook, incarnation } = created.value;
    const secret = await webhookSecret(env, { incarnation, webhookId: webhook.id });
    return answer(created, 201, () => ({ webhook, secret }));
  }),

  handle(routes.listWebhooks, async ({ board, call }) => answer(await board.listWebhooks(call, undefined))),

  handle(routes.changeWebhook, async ({ env, board, call, params, body }) => {
    const fault = body.url === undefined ? null : badUrl(env, body.url);
    return fault ?? answer(await board.changeWebhook(call, { id: params.id, ...body }));
  }),

  handle(routes.deleteWebhook, async ({ board, call, params }) =>
    answer(await board.deleteWebhook(call, params.id), 204),
  ),

  handle(routes.listDeliveries, async ({ board, call, params, query }) => {
    const before = query.cursor === undefined ? null : readNumber(query.cursor);
    if (query.cursor !== undefined && before === null) return badCursor();
    const limit = query.limit ?? LIST_DEFAULT;
    const state = query.state ?? null;
    return answer(await board.listDeliveries(call, { webhookId: params.id, state, before, limit }));
  }),

  handle(routes.replayDelivery, async ({ board, call, params }) => {
    const seq = readNumber(params.deliveryId) ?? 0;
    return answer(await board.replayDelivery(call, { webhookId: params.id, seq }));
  }),
];

function badUrl(env: Env, url: string): Refusal | null {
  const fault = urlFault(url, env.EDGEBOARD_ALLOW_PRIVATE_WEBHOOKS === "true");
  return fault === null ? null : invalid([{ path: "url", message: fault }]);
}
