import * as z from "zod";
import * as answers from "../answers.ts";
import { changeBoardBody, createBoardBody, mintTokenBody } from "../requests/boards.ts";
import { route } from "../route.ts";
import { cursorQuery, limitQuery } from "../text.ts";

const page = z.strictObject({ limit: limitQuery, cursor: cursorQuery });

export const createBoard = route({
  id: "createBoard",
  method: "POST",
  path: "/boards",
  tag: "Boards",
  summary: "Make a board; its lead token is told once",
  role: "operator",
  body: createBoardBody,
  keyed: true,
  answers: { 201: answers.createdBoardAnswer },
  refuses: ["board_exists", "invalid_settings"],
});

export const listBoards = route({
  id: "listBoards",
  method: "GET",
  path: "/boards",
  tag: "Boards",
  summary: "The boards there are; for the operator, and for people that Access let in",
  role: "viewer",
  query: page,
  answers: { 200: answers.boardsAnswer },
  refuses: [],
});

export const getBoard = route({
  id: "getBoard",
  method: "GET",
  path: "/boards/:board",
  tag: "Boards",
  summary: "A board with its settings in force and its counts",
  role: "viewer",
  answers: { 200: answers.boardSummaryAnswer },
  refuses: [],
});

export const changeBoard = route({
  id: "changeBoard",
  method: "PATCH",
  path: "/boards/:board",
  tag: "Boards",
  summary: "Rename, turn settings, pause, archive",
  role: "lead",
  body: changeBoardBody,
  answers: { 200: answers.boardAnswer },
  refuses: ["invalid_settings"],
});

export const deleteBoard = route({
  id: "deleteBoard",
  method: "DELETE",
  path: "/boards/:board",
  tag: "Boards",
  summary: "Delete a board for good",
  role: "operator",
  query: z.strictObject({ confirm: z.string().meta({ description: "The board's id, once more" }) }),
  answers: { 204: null },
  refuses: [],
});

export const mintToken = route({
  id: "mintToken",
  method: "POST",
  path: "/boards/:board/tokens",
  tag: "Tokens",
  summary: "Mint a token; it is told once",
  role: "lead",
  body: mintTokenBody,
  keyed: true,
  answers: { 201: answers.mintedTokenAnswer },
  refuses: ["board_archived"],
});

export const listTokens = route({
  id: "listTokens",
  method: "GET",
  path: "/boards/:board/tokens",
  tag: "Tokens",
  summary: "The tokens there are, and when each was last used",
  role: "lead",
  query: page,
  answers: { 200: answers.tokensAnswer },
  refuses: [],
});

export const revokeToken = route({
  id: "revokeToken",
  method: "DELETE",
  path: "/boards/:board/tokens/:id",
  tag: "Tokens",
  summary: "Revoke a token; leases claimed with it end",
  role: "lead",
  answers: { 204: null },
  refuses: ["token_not_found"],
});

export const whoAmI = route({
  id: "whoAmI",
  method: "GET",
  path: "/me",
  tag: "Tokens",
  summary: "Who this token says I am",
  role: "viewer",
  answers: { 200: answers.meAnswer },
  refuses: [],
});
