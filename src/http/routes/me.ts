import type { Meter } from "../../board/meter.ts";
import { boardStub } from "../../board/stub.ts";
import type { Me } from "../../contract/answers.ts";
import { accept, type Result } from "../../contract/result.ts";
import { isPerson } from "../../contract/roles.ts";
import * as routes from "../../contract/routes/boards.ts";
import { ACCESS_SIGN_OUT } from "../access.ts";
import { answer, handle } from "../mount.ts";
import type { Identity } from "../tokens.ts";

export const me = [
  handle(routes.whoAmI, async ({ env, caller, tokenBoard, expiresAt, meter }) =>
    answer(await describe(env, { caller, tokenBoard, expiresAt }, meter)),
  ),
];

/** Who this is, by the board's own word where there is one: a token may have been revoked. */
export async function describe(
  env: Env,
  { caller, tokenBoard, expiresAt }: Identity,
  meter: Meter,
): Promise<Result<Me>> {
  if (tokenBoard !== null) {
    const known = await boardStub(env, tokenBoard, meter).whoAmI({ caller }, undefined);
    return known.ok ? accept({ ...known.value, board: tokenBoard }) : known;
  }
  const { sub: agentId, role, runtime, capabilities } = caller;
  return accept({
    agentId,
    role,
    runtime,
    capabilities,
    board: null,
    ...(isPerson(caller) ? { expiresAt, signOutUrl: ACCESS_SIGN_OUT } : { expiresAt: null }),
  });
}
