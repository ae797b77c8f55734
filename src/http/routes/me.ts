import { boardStub } from "../../board/stub.ts";
import { accept } from "../../contract/result.ts";
import * as routes from "../../contract/routes/boards.ts";
import { answer, handle } from "../mount.ts";

export const me = [
  handle(routes.whoAmI, async ({ env, caller, tokenBoard, call }) => {
    if (tokenBoard !== null) {
      const known = await boardStub(env, tokenBoard).whoAmI(call, undefined);
      return answer(known, 200, (info) => ({ ...info, board: tokenBoard }));
    }
    return answer(
      accept({
        agentId: caller.sub,
        role: caller.role,
        board: null,
        runtime: null,
        capabilities: [],
        expiresAt: null,
      }),
    );
  }),
];
