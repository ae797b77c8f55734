import { meAnswer, sessionLinkAnswer } from "../answers.ts";
import { openSessionBody } from "../requests/session.ts";
import { emptyBody } from "../requests/tasks.ts";
import { route } from "../route.ts";

export const openSession = route({
  id: "openSession",
  method: "POST",
  path: "/session",
  tag: "Session",
  summary: "Sign a browser in, by a token or by the code of a link; the answer sets the cookie",
  role: null,
  body: openSessionBody,
  answers: { 200: meAnswer },
  refuses: ["invalid_request", "unauthenticated", "token_expired", "token_revoked", "board_not_found"],
});

export const linkSession = route({
  id: "linkSession",
  method: "POST",
  path: "/session/link",
  tag: "Session",
  summary: "A link that signs a browser in as yourself, once, within a minute",
  role: "lead",
  body: emptyBody,
  answers: { 201: sessionLinkAnswer },
  refuses: [],
});

export const closeSession = route({
  id: "closeSession",
  method: "DELETE",
  path: "/session",
  tag: "Session",
  summary: "Sign out",
  role: null,
  answers: { 204: null },
  refuses: [],
});
