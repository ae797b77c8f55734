/** The rows of imports that arrive in parts; `rows.ts` has all others. */
import * as z from "zod";
import { IMPORT_FORMATS } from "../../contract/requests/imports.ts";

export const importRow = z.object({
  id: z.string(),
  format: z.enum(IMPORT_FORMATS),
  reset: z.union([z.literal(0), z.literal(1)]),
  /** What the commit answered; null before. */
  report: z.string().nullable(),
  created_by: z.string(),
  created_at: z.int(),
  tenant_id: z.string().nullable(),
});
export type ImportRow = z.infer<typeof importRow>;

export const importChunkRow = z.object({
  import_id: z.string(),
  part: z.int(),
  chunk: z.int(),
  body: z.string(),
  tenant_id: z.string().nullable(),
});
export type ImportChunkRow = z.infer<typeof importChunkRow>;
