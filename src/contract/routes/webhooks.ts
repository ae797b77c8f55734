import * as z from "zod";
import { changeWebhookBody, createWebhookBody } from "../requests/webhooks.ts";
import { route } from "../route.ts";
import { cursorQuery, limitQuery } from "../text.ts";
import * as answers from "../webhook.ts";

export const createWebhook = route({
  id: "createWebhook",
  method: "POST",
  path: "/boards/:board/webhooks",
  tag: "Webhooks",
  summary: "Have events sent to a URL; the secret that signs them is told once",
  role: "lead",
  body: createWebhookBody,
  keyed: true,
  answers: { 201: answers.createdWebhookAnswer },
  refuses: ["webhook_cap", "board_archived"],
});

export const listWebhooks = route({
  id: "listWebhooks",
  method: "GET",
  path: "/boards/:board/webhooks",
  tag: "Webhooks",
  summary: "The webhooks there are",
  role: "lead",
  answers: { 200: answers.webhooksAnswer },
  refuses: [],
});

export const changeWebhook = route({
  id: "changeWebhook",
  method: "PATCH",
  path: "/boards/:board/webhooks/:id",
  tag: "Webhooks",
  summary: "Another URL, other kinds, disable, enable again",
  role: "lead",
  body: changeWebhookBody,
  answers: { 200: answers.webhookAnswer },
  refuses: ["webhook_not_found", "board_archived"],
});

export const deleteWebhook = route({
  id: "deleteWebhook",
  method: "DELETE",
  path: "/boards/:board/webhooks/:id",
  tag: "Webhooks",
  summary: "Delete a webhook with its deliveries",
  role: "lead",
  answers: { 204: null },
  refuses: ["webhook_not_found"],
});

export const listDeliveries = route({
  id: "listDeliveries",
  method: "GET",
  path: "/boards/:board/webhooks/:id/deliveries",
  tag: "Webhooks",
  summary: "What was sent, what waits and what died, newest first",
  role: "lead",
  query: z.strictObject({
    state: z.enum(answers.DELIVERY_STATES).optional(),
    limit: limitQuery,
    cursor: cursorQuery,
  }),
  answers: { 200: answers.deliveriesAnswer },
  refuses: ["webhook_not_found"],
});

export const replayDelivery = route({
  id: "replayDelivery",
  method: "POST",
  path: "/boards/:board/webhooks/:id/deliveries/:deliveryId/replay",
  tag: "Webhooks",
  summary: "Send a delivery again, whatever became of it",
  role: "lead",
  answers: { 200: answers.deliveryAnswer },
  refuses: ["webhook_not_found", "delivery_not_found", "conflict", "board_archived"],
});
