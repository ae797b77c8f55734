/** What callers send about imports that arrive in parts. */
import * as z from "zod";

export const IMPORT_FORMATS = ["edgeboard", "beads", "taskmaster"] as const;

export const importFormat = z.enum(IMPORT_FORMATS);

export type ImportFormat = z.infer<typeof importFormat>;

export const beginImportBody = z
  .strictObject({
    format: importFormat,
    reset: z.boolean().optional().meta({ description: "Every task comes in as todo" }),
  })
  .meta({ id: "BeginImport" });

export const commitImportBody = z
  .strictObject({
    dryRun: z.boolean().optional().meta({ description: "Report what would happen, and keep the parts" }),
  })
  .meta({ id: "CommitImport" });

/** What may be wrong with what comes in. */
export const importFaults = [
  "import_invalid",
  "task_dependency_cycle",
  "parent_cycle",
  "dependent_cap",
  "duplicate",
  "invalid_settings",
] as const;
