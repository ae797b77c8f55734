import { IMPORT_PARTS_MAX } from "../../contract/limits.ts";
import * as routes from "../../contract/routes/imports.ts";
import { directoryStub } from "../../directory/lifecycle.ts";
import { readBeads } from "../../import-export/beads.ts";
import { sourceFaults } from "../../import-export/imported.ts";
import { readTaskMaster } from "../../import-export/taskmaster.ts";
import { answer, handle } from "../mount.ts";
import { invalid } from "../validate.ts";

export const imports = [
  handle(routes.importTasks, async ({ env, board, call, params, query, text }) => {
    const { format, dryRun = false, reset = false } = query;
    if (format === "edgeboard") {
      const imported = await board.importBoard(call, { source: text, reset, dryRun });
      if (imported.ok && !dryRun) await rename(env, params.board, imported.value.renamed);
      return answer(imported, 200, ({ report }) => report);
    }
    const read = format === "beads" ? readBeads(text, { reset }) : readTaskMaster(text, { reset });
    const faults = sourceFaults(read);
    if (faults !== null) return faults;
    const { tasks, skipped } = read;
    return answer(await board.importTasks(call, { source: format, tasks, skipped, dryRun }));
  }),

  handle(routes.beginImport, async ({ board, call, body }) =>
    answer(await board.beginImport(call, { format: body.format, reset: body.reset ?? false }), 201),
  ),

  handle(routes.putImportPart, async ({ board, call, params, text }) => {
    const n = /^[1-9]\d{0,3}$/.test(params.n) ? Number(params.n) : 0;
    if (n === 0 || n > IMPORT_PARTS_MAX)
      return invalid([{ path: "n", message: `must be a whole number from 1 to ${IMPORT_PARTS_MAX}` }]);
    if (text.includes("\0")) return invalid([{ path: "", message: "must not contain NUL" }]);
    return answer(await board.putImportPart(call, { id: params.id, n, text }));
  }),

  handle(routes.commitImport, async ({ env, board, call, params, body }) => {
    const dryRun = body.dryRun ?? false;
    const imported = await board.commitImport(call, { id: params.id, dryRun });
    if (imported.ok && !dryRun) await rename(env, params.board, imported.value.renamed);
    return answer(imported, 200, ({ report }) => report);
  }),

  handle(routes.dropImport, async ({ board, call, params }) =>
    answer(await board.dropImport(call, params.id), 204),
  ),

  handle(routes.exportBoard, async ({ board, call, params }) => {
    const exported = await board.exportBoard(call);
    if (!exported.ok) return exported;
    const file = `attachment; filename="${params.board}.ndjson"`;
    return answer(
      exported,
      200,
      (stream) => stream,
      () => ({ "content-disposition": file }),
    );
  }),
];

/** A board that was restored has its old name again; the list of boards is told. */
export async function rename(env: Env, id: string, name: string | null): Promise<void> {
  if (name !== null) await directoryStub(env).rename({ id, name, archived: false });
}
