import * as z from "zod";
import { importAnswer } from "../answers.ts";
import { archiveAnswer, archivesAnswer, restoreBody } from "../archive.ts";
import { importFaults } from "../requests/imports.ts";
import { route } from "../route.ts";
import { cursorQuery, limitQuery } from "../text.ts";

const unplaced = ["no_archive", "archive_unavailable"] as const;

export const createArchive = route({
  id: "createArchive",
  method: "POST",
  path: "/boards/:board/archives",
  tag: "Archives",
  summary: "Put the whole board away, as an export beside it",
  role: "lead",
  answers: { 201: archiveAnswer },
  refuses: ["board_busy", ...unplaced],
});

export const listArchives = route({
  id: "listArchives",
  method: "GET",
  path: "/boards/:board/archives",
  tag: "Archives",
  summary: "What was put away of a board, oldest first; for the operator also when the board is gone",
  role: "lead",
  query: z.strictObject({ limit: limitQuery, cursor: cursorQuery }),
  answers: { 200: archivesAnswer },
  refuses: [...unplaced],
});

export const getArchive = route({
  id: "getArchive",
  method: "GET",
  path: "/boards/:board/archives/:id",
  tag: "Archives",
  summary: "An archive as it was written: an export, for format=edgeboard",
  role: "lead",
  answers: { 200: null },
  textAnswer: {
    type: "application/x-ndjson",
    description: "A header, then a line for each thing, then an end",
  },
  refuses: ["archive_not_found", ...unplaced],
});

export const deleteArchive = route({
  id: "deleteArchive",
  method: "DELETE",
  path: "/boards/:board/archives/:id",
  tag: "Archives",
  summary: "Delete an archive for good",
  role: "operator",
  answers: { 204: null },
  refuses: ["archive_not_found", ...unplaced],
});

export const restoreArchive = route({
  id: "restoreArchive",
  method: "POST",
  path: "/boards/:board/archives/:id/restore",
  tag: "Archives",
  summary: "Bring an archive onto a board, all or nothing",
  role: "operator",
  body: restoreBody,
  answers: { 200: importAnswer },
  refuses: ["archive_not_found", "board_busy", ...importFaults, "board_archived", ...unplaced],
});
