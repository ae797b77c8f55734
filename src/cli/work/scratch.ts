/** The folder in which a command and its runner leave each other files. It is outside of every repository. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Brief, type Files, pageOf } from "./brief.ts";

export interface Scratch {
  files: Files;
  /** For one cycle: the report of the one before is gone. */
  write: (brief: Brief) => Promise<void>;
  remove: () => Promise<void>;
}

export async function openScratch(): Promise<Scratch> {
  const folder = await mkdtemp(join(tmpdir(), "edgeboard-work-"));
  const files = {
    json: join(folder, "task.json"),
    page: join(folder, "TASK.md"),
    report: join(folder, "report.json"),
  };
  return {
    files,
    write: async (brief) => {
      await rm(files.report, { force: true, recursive: true });
      await writeFile(files.json, `${JSON.stringify(brief, null, 2)}\n`);
      await writeFile(files.page, pageOf(brief));
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
