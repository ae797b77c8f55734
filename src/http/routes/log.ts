import { LIST_DEFAULT } from "../../contract/limits.ts";
import { accept } from "../../contract/result.ts";
import * as routes from "../../contract/routes/log.ts";
import { directoryStub } from "../../directory/lifecycle.ts";
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
        actor: query.actor,
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

  handle(routes.exportAudit, async ({ board, call, params }) => {
    const exported = await board.exportAudit(call);
    if (!exported.ok) return exported;
    const file = `attachment; filename="${params.board}-audit.ndjson"`;
    return answer(
      exported,
      200,
      (stream) => stream,
      () => ({ "content-disposition": file }),
    );
  }),

  handle(routes.listDirectoryAudit, async ({ env, query }) => {
    const before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : readNumber(query.cursor);
    if (before === null) return badCursor();
    const limit = query.limit ?? LIST_DEFAULT;
    const entries = await directoryStub(env).audit({ before, limit: limit + 1 });
    const shown = entries.slice(0, limit);
    const hasMore = entries.length > limit;
    return answer(accept({ entries: shown, hasMore, nextCursor: hasMore ? String(shown.at(-1)?.id) : null }));
  }),
];
