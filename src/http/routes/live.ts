import { openSocket } from "../../board/stub.ts";
import { SNAPSHOT_CARDS } from "../../contract/limits.ts";
import { refuse } from "../../contract/result.ts";
import * as routes from "../../contract/routes/live.ts";
import { answer, handle } from "../mount.ts";

export const live = [
  handle(routes.getSnapshot, async ({ board, call, query }) =>
    answer(await board.getSnapshot(call, { limit: query.limit ?? SNAPSHOT_CARDS })),
  ),

  handle(routes.openLive, async ({ env, call, params, query, expiresAt, upgrades, meter }) => {
    if (!upgrades)
      return refuse("upgrade_required", "This is a WebSocket: open it with one.", {
        hint: "Without sockets, read GET events with waitMs.",
      });
    const input = {
      after: query.after ?? null,
      taskId: query.taskId ?? null,
      // Once each: they are kept beside the socket, where there is little room.
      kinds: [...new Set(query.kind)],
      cards: query.cards ?? false,
      expiresAt,
    };
    const opened = await openSocket(env, params.board, { call, input }, meter);
    return answer(opened, 101);
  }),
];
