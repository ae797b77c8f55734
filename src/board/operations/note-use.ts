import { accept, type Result } from "../../contract/result.ts";
import { audit, type Context } from "../context.ts";

/** Privileges whose use changes nothing on the board: somebody took a copy of it, or made a link that signs in. */
export type Use = "export" | "sign_in_link";

export function noteUse(ctx: Context, kind: Use): Result<null> {
  audit(ctx, kind, {});
  return accept(null);
}
