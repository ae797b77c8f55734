/** Archives of boards. The bucket is optional: where there is none, every route says so and nothing else. */
import { bringBack } from "../../archives/bring-back.ts";
import { BucketFailed } from "../../archives/bucket.ts";
import { putAway } from "../../archives/put-away.ts";
import { deleteArchive, isArchiveId, listArchives, openArchive } from "../../archives/shelf.ts";
import { boardStub } from "../../board/stub.ts";
import { LIST_DEFAULT } from "../../contract/limits.ts";
import { accept, type Refusal, refuse } from "../../contract/result.ts";
import type { Route } from "../../contract/route.ts";
import * as routes from "../../contract/routes/archives.ts";
import { type Answer, answer, handle, type Incoming } from "../mount.ts";
import { rename } from "./import.ts";
import { badCursor } from "./tasks.ts";

export const archives = [
  handle(routes.createArchive, (incoming) =>
    withBucket(incoming, async (bucket) => {
      const { board, call, params } = incoming;
      const exported = await board.exportBoard(call);
      if (!exported.ok) return exported;
      const stored = await putAway(bucket, params.board, exported.value, Date.now());
      return answer(stored, 201, (archive) => ({ archive }));
    }),
  ),

  handle(routes.listArchives, (incoming) =>
    withBucket(incoming, async (bucket) => {
      const { params, query } = incoming;
      if (query.cursor !== undefined && !isArchiveId(query.cursor)) return badCursor();
      const stranger = await notLetIn(incoming);
      if (stranger !== null) return stranger;
      const limit = query.limit ?? LIST_DEFAULT;
      return answer(accept(await listArchives(bucket, params.board, query.cursor ?? null, limit)));
    }),
  ),

  handle(routes.getArchive, (incoming) =>
    withBucket(incoming, async (bucket) => {
      const stranger = await notLetIn(incoming);
      if (stranger !== null) return stranger;
      const { board, id } = incoming.params;
      const found = await openArchive(bucket, board, id);
      const file = `attachment; filename="${board}-${id}.ndjson"`;
      return answer(
        found,
        200,
        ({ body }) => body,
        () => ({ "content-disposition": file }),
      );
    }),
  ),

  handle(routes.deleteArchive, (incoming) =>
    withBucket(incoming, async (bucket) =>
      answer(await deleteArchive(bucket, incoming.params.board, incoming.params.id), 204),
    ),
  ),

  handle(routes.restoreArchive, (incoming) =>
    withBucket(incoming, async (bucket) => {
      const { env, call, params, body, meter } = incoming;
      const { into = params.board, dryRun = false } = body;
      const found = await openArchive(bucket, params.board, params.id);
      if (!found.ok) return found;
      const imported = await bringBack({
        archive: found.value,
        into: boardStub(env, into, meter),
        call,
        dryRun,
      });
      if (imported.ok && !dryRun) await rename(env, into, imported.value.renamed);
      return answer(imported, 200, ({ report }) => report);
    }),
  ),
];

/** What the bucket throws is told as its own; what a board throws is for everybody's handler. */
async function withBucket(
  { env }: Pick<Incoming<Route>, "env">,
  work: (bucket: R2Bucket) => Promise<Answer | Refusal>,
): Promise<Answer | Refusal> {
  if (env.ARCHIVE === undefined)
    return refuse("no_archive", "This server has no place for archives.", {
      hint: "The operator may bind a bucket as ARCHIVE; an export goes without.",
    });
  try {
    return await work(env.ARCHIVE);
  } catch (error) {
    if (!(error instanceof BucketFailed)) throw error;
    console.error(JSON.stringify({ message: "archive unavailable", error: error.message }));
    return refuse(
      "archive_unavailable",
      "The place for archives did not answer as it should; nothing changed.",
    );
  }
}

/** The token has to stand on the board. The operator's does everywhere, so no board is woken, nor needed. */
async function notLetIn({ caller, board, call }: Pick<Incoming<Route>, "caller" | "board" | "call">) {
  if (caller.role === "operator") return null;
  const admitted = await board.whoAmI(call, undefined);
  return admitted.ok ? null : admitted;
}
