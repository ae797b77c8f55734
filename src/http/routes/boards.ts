import { LIST_DEFAULT } from "../../contract/limits.ts";
import { accept, type Result, refuse } from "../../contract/result.ts";
import type { BodyOf } from "../../contract/route.ts";
import * as routes from "../../contract/routes/boards.ts";
import { boardId } from "../../contract/text.ts";
import { createBoard, deleteBoard, directoryStub, settleHalfDone } from "../../directory/lifecycle.ts";
import { placedId } from "../../rules/jurisdiction.ts";
import { answer, handle } from "../mount.ts";
import { signBoardToken } from "../tokens.ts";
import { invalid } from "../validate.ts";
import { badCursor, isRowId } from "./tasks.ts";

export const boards = [
  handle(routes.createBoard, async ({ env, body, call, meter }) => {
    const id = idOf(body);
    if (!id.ok) return id;
    const asked = {
      id: id.value,
      name: body.name,
      settings: body.settings ?? {},
      locationHint: body.locationHint ?? null,
      operationId: crypto.randomUUID(),
      key: call.key ?? null,
    };
    const made = await createBoard(env, asked, meter);
    if (!made.ok) return made;
    const { board, minted, replayed } = made.value;
    const token = await signBoardToken(env, board.id, minted);
    return answer(replayed ? { ...accept({ board, token }), replayed } : accept({ board, token }), 201);
  }),

  handle(routes.listBoards, async ({ env, query, tokenBoard }) => {
    if (tokenBoard !== null)
      return refuse("forbidden", "This token is for one board.", { hint: "GET /me says for which." });
    if (!boardId.optional().safeParse(query.cursor).success) return badCursor();
    await settleHalfDone(env, Date.now());
    const limit = query.limit ?? LIST_DEFAULT;
    const entries = await directoryStub(env).list({ after: query.cursor ?? "", limit: limit + 1 });
    const shown = entries.slice(0, limit);
    const hasMore = entries.length > limit;
    return answer(
      accept({
        boards: shown.map(({ id, name, archived, createdAt }) => ({ id, name, archived, createdAt })),
        hasMore,
        nextCursor: hasMore ? (shown.at(-1)?.id ?? null) : null,
      }),
    );
  }),

  handle(routes.getBoard, async ({ board, call }) => answer(await board.describeBoard(call, undefined))),

  handle(routes.changeBoard, async ({ env, board, call, body }) => {
    const changed = await board.changeBoard(call, body);
    if (changed.ok && (body.name !== undefined || body.archived !== undefined)) {
      const { id, name, archived } = changed.value.board;
      await directoryStub(env).rename({ id, name, archived });
    }
    return answer(changed);
  }),

  handle(routes.deleteBoard, async ({ env, params, query }) => {
    if (query.confirm !== params.board)
      return invalid([{ path: "confirm", message: "must be the board's id" }]);
    return answer(await deleteBoard(env, params.board), 204);
  }),

  handle(routes.mintToken, async ({ env, board, call, params, body }) => {
    const minted = await board.mintToken(call, body);
    if (!minted.ok) return minted;
    const token = await signBoardToken(env, params.board, minted.value);
    return answer(minted, 201, ({ info }) => ({ token, info }));
  }),

  handle(routes.listTokens, async ({ board, call, query }) => {
    if (query.cursor !== undefined && !isRowId(query.cursor)) return badCursor();
    return answer(
      await board.listTokens(call, { after: query.cursor ?? "", limit: query.limit ?? LIST_DEFAULT }),
    );
  }),

  handle(routes.revokeToken, async ({ board, call, params }) =>
    answer(await board.revokeToken(call, params.id), 204),
  ),
];

/** The id of a new board, which says where its data stays. */
function idOf({ id, name, jurisdiction }: BodyOf<typeof routes.createBoard>): Result<string> {
  const given = id ?? idFromName(name);
  const placed = jurisdiction === undefined ? given : placedId(given, jurisdiction);
  if (placed === null) return invalid([{ path: "id", message: "begins with another jurisdiction" }]);
  if (!boardId.safeParse(placed).success)
    return invalid([{ path: "id", message: `with its jurisdiction, ${placed}, it is too long` }]);
  return accept(placed);
}

/** A readable id that nobody else has. */
function idFromName(name: string): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40);
  return [...(words === "" ? ["board"] : [words]), crypto.randomUUID().slice(0, 8)]
    .join("-")
    .replace(/-+/g, "-");
}
