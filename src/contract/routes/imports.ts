import * as z from "zod";
import * as answers from "../answers.ts";
import { IMPORT_MAX_BYTES } from "../limits.ts";
import { beginImportBody, commitImportBody, importFaults, importFormat } from "../requests/imports.ts";
import { route } from "../route.ts";
import { queryFlag } from "../text.ts";

const sourceText = {
  types: ["application/x-ndjson", "application/jsonl", "application/json", "text/plain"],
  description: "An Edgeboard export, Beads JSONL, or Task Master's tasks.json",
};

export const importTasks = route({
  id: "importTasks",
  method: "POST",
  path: "/boards/:board/import",
  tag: "Import and export",
  summary: "Bring another board in: all or nothing",
  role: "lead",
  query: z.strictObject({
    format: importFormat,
    dryRun: queryFlag.optional(),
    reset: queryFlag.optional().meta({ description: "Every task comes in as todo" }),
  }),
  textBody: sourceText,
  maxBytes: IMPORT_MAX_BYTES,
  keyed: true,
  answers: { 200: answers.importAnswer },
  refuses: [...importFaults, "board_archived"],
});

export const beginImport = route({
  id: "beginImport",
  method: "POST",
  path: "/boards/:board/imports",
  tag: "Import and export",
  summary: "Begin an import that is larger than one body; it is forgotten after a day",
  role: "lead",
  body: beginImportBody,
  answers: { 201: answers.begunImportAnswer },
  refuses: ["board_busy", "board_archived"],
});

export const putImportPart = route({
  id: "putImportPart",
  method: "PUT",
  path: "/boards/:board/imports/:id/parts/:n",
  tag: "Import and export",
  summary: "Part n of the source, from 1, in any order; sent again it replaces itself",
  role: "lead",
  textBody: sourceText,
  maxBytes: IMPORT_MAX_BYTES,
  answers: { 200: answers.importPartAnswer },
  refuses: ["import_not_found", "already_closed", "board_archived"],
});

export const commitImport = route({
  id: "commitImport",
  method: "POST",
  path: "/boards/:board/imports/:id/commit",
  tag: "Import and export",
  summary: "Bring the parts in as one source; again it answers the same report",
  role: "lead",
  body: commitImportBody,
  answers: { 200: answers.importAnswer },
  refuses: ["import_not_found", ...importFaults, "board_archived"],
});

export const dropImport = route({
  id: "dropImport",
  method: "DELETE",
  path: "/boards/:board/imports/:id",
  tag: "Import and export",
  summary: "Forget an import and its parts",
  role: "lead",
  answers: { 204: null },
  refuses: ["import_not_found"],
});

export const exportBoard = route({
  id: "exportBoard",
  method: "GET",
  path: "/boards/:board/export",
  tag: "Import and export",
  summary: "Everything of the board as NDJSON, for format=edgeboard",
  role: "lead",
  answers: { 200: null },
  textAnswer: {
    type: "application/x-ndjson",
    description: "A header, then a line for each thing, then an end",
  },
  refuses: ["board_busy"],
});
