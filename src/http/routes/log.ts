import { LIST_DEFAULT } from "../../contract/limits.ts";
import * as routes from "../../contract/routes/log.ts";
import { answer, handle } from "../mount.ts";
import { invalid } from "../validate.ts";
import { badCursor, readNumber } from "./tasks.ts";

export const log = [
  handle(routes.listEvents, async ({ board, call, query }) => {
    const order = query.order ?? "asc";
    if (query.after !== undefined && query.cursor !== undefined)
      return invalid([{ path: "cursor", message: "goes without after" }]);
    if (query.after !== undefined && order === "desc")
      return invalid([{ path: "after", message: "goes with order=asc" }]);
    const from = query.cursor === undefined ? (query.after ?? null) : readNumber(query.cursor);
    if (query.cursor !== undefined && from === null) return badCursor();
    return answer(
      await board.listEvents(call, {
        cursor: from,
        order,
        taskId: query.taskId ?? null,
        kinds: query.kind ?? [],
        cards: query.cards ?? false,
        limit: query.limit ?? LIST_DEFAULT,
        waitMs: order === "asc" ? (query.waitMs ?? 0) : 0,
      }),
    );
  }),

  handle(routes.listAudit, async ({ board, call, query }) => {
    const before = query.cursor === undefined ? null : readNumber(query.cursor);
    if (query.cursor !== undefined && before === null) return badCursor();
    return answer(
      await board.listAudit(call, {
        actor: query.actor ?? null,
        kind: query.kind ?? null,
        before,
        limit: query.limit ?? LIST_DEFAULT,
      }),
    );
  }),
];
