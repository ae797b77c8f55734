import * as z from "zod";

export const openSessionBody = z
  .strictObject({
    token: z.string().min(1).max(4_000).optional().meta({ description: "It is never kept" }),
    code: z.string().min(1).max(100).optional().meta({ description: "Of a link" }),
  })
  .refine(({ token, code }) => (token === undefined) !== (code === undefined), {
    path: ["token"],
    message: "either a token or a code",
  })
  .meta({ id: "OpenSession" });
