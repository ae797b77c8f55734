import * as z from "zod";
import { TOKEN_MAX_CHARS } from "../limits.ts";

export const openSessionBody = z
  .strictObject({
    token: z.string().min(1).max(TOKEN_MAX_CHARS).optional().meta({ description: "It is never kept" }),
    code: z.string().min(1).max(100).optional().meta({ description: "Of a link" }),
  })
  .refine(({ token, code }) => (token === undefined) !== (code === undefined), {
    path: ["token"],
    message: "either a token or a code",
  })
  .meta({ id: "OpenSession" });
