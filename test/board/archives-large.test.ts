/** A large board put away in parts, and brought back: the same board, and memory for one part. */
import { expect, it, vi } from "vitest";
import { ARCHIVE_PART_BYTES } from "../../src/contract/limits.ts";
import { call, newBoard, ok, refused } from "../support/api.ts";
import { bringBack, bucket, keysOf, putAway } from "../support/bucket.ts";
import { contentsOf, holds } from "../support/exports.ts";
import { fill } from "../support/fill.ts";
import { inside } from "../support/inside.ts";

const TASKS = 20_000;

async function large() {
  const board = await newBoard({ eventRetention: 100_000 });
  await inside(board, ({ sql }) => {
    fill(sql, { count: TASKS, priority: 1 });
    sql.run("update tasks set description = ?", "é".repeat(200));
    sql.run(
      `insert into task_deps (task_id, depends_on_task_id, created_at)
       select id, 'task-' || (number - 1), 1 from tasks where number > 1 and number % 2 = 0`,
    );
    sql.run("update tasks set open_deps = 1 where number % 2 = 0");
    sql.run(
      `insert into task_comments (number, task_id, author_id, body, created_at)
       select number, id, 'ada', 'said ' || number, 1 from tasks where number % 4 = 0`,
    );
    sql.run(
      `insert into execution_processes (id, task_id, epoch, agent_id, status, started_at, last_beat_at, ended_at, summary)
       select 'run-' || number, id, 1, 'ada', 'succeeded', number, number, number, 'done' from tasks where number % 5 = 0`,
    );
    sql.run("update tasks set epoch = 1 where number % 5 = 0");
  });
  return board;
}

const rowsOf = async (board: Awaited<ReturnType<typeof newBoard>>) =>
  inside(board, ({ sql }) =>
    ["tasks", "task_deps", "task_comments", "execution_processes"].map((table) =>
      sql.number(`select count(*) from ${table}`),
    ),
  );

it("20,000 tasks go into equal parts and come back as the same board", async () => {
  const board = await large();
  const sizes: number[] = [];
  const create = bucket.createMultipartUpload.bind(bucket);
  vi.spyOn(bucket, "createMultipartUpload").mockImplementation(async (...given) => {
    const upload = await create(...given);
    const send = upload.uploadPart.bind(upload);
    vi.spyOn(upload, "uploadPart").mockImplementation((number, part, options) => {
      sizes.push((part as Uint8Array).length);
      return send(number, part, options);
    });
    return upload;
  });
  const archive = await putAway(board);
  vi.restoreAllMocks();
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.slice(0, -1).every((size) => size === ARCHIVE_PART_BYTES)).toBe(true);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(archive.bytes);
  const other = await newBoard();
  expect(ok(await bringBack(board, archive.id, { into: other.id }))).toMatchObject({ created: TASKS });
  expect(await rowsOf(other)).toEqual([TASKS, TASKS / 2, TASKS / 4, TASKS / 5]);
  expect(await contentsOf(other)).toEqual(await contentsOf(board));
  await holds(other);
}, 120_000);

it("a part that is not taken leaves nothing that is listed, nor an upload that goes on", async () => {
  const board = await large();
  const create = bucket.createMultipartUpload.bind(bucket);
  const aborted: string[] = [];
  vi.spyOn(bucket, "createMultipartUpload").mockImplementation(async (...given) => {
    const upload = await create(...given);
    const abort = upload.abort.bind(upload);
    let parts = 0;
    const send = upload.uploadPart.bind(upload);
    vi.spyOn(upload, "uploadPart").mockImplementation((number, part, options) =>
      ++parts === 2 ? Promise.reject(new Error("no")) : send(number, part, options),
    );
    vi.spyOn(upload, "abort").mockImplementation(async () => {
      aborted.push(upload.key);
      await abort();
    });
    return upload;
  });
  refused(await call(board.lead, "POST", `${board.path}/archives`), 503, "archive_unavailable");
  vi.restoreAllMocks();
  expect(aborted).toHaveLength(1);
  expect(await keysOf(board)).toEqual([]);
}, 120_000);
