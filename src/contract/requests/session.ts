import * as z from "zod";

/** Either a token, which is never kept, or the code of a link. */
export const openSessionBody = z
  .union([
    z.strictObject({ token: z.string().min(1).max(4_000) }),
    z.strictObject({ code: z.string().min(1).max(100) }),
  ])
  .meta({ id: "OpenSession" });
