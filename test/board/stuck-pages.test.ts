/** What runs too long and what nobody may claim; how the list of stuck tasks is paged. */
import { describe, expect, it } from "vitest";
import type { StuckPage } from "../../src/contract/insight.ts";
import { call, newBoard, ok, refused, type TestBoard } from "../support/api.ts";
import { inside } from "../support/inside.ts";

const stuck = async (board: TestBoard, query = ""): Promise<StuckPage> =>
  ok(await call(board.lead, "GET", `${board.path}/stuck${query}`));

/** Makes the running executions look as if they had begun earlier. */
const began = (board: TestBoard, byMs: number, taskId: string) =>
  inside(board, ({ sql }) =>
    sql.run("update execution_processes set started_at = started_at - ? where task_id = ?", byMs, taskId),
  );

describe("overrun", () => {
  it("lists a run longer than the board allows, however well it beats, with what it said last", async () => {
    const board = await newBoard({ maxRunMs: 60_000 });
    const worker = await board.mint("agent");
    const [long, short] = [await board.add({ title: "long" }), await board.add({ title: "short" })];
    const { lease } = await board.claim(long.id, worker);
    await board.claim(short.id, worker);
    await began(board, 60_000, long.id);
    await began(board, 50_000, short.id);
    const beat = { leaseToken: lease.token, progress: "still thinking" };
    ok(await call(worker, "POST", `${board.path}/tasks/${long.id}/heartbeat`, beat));
    const { stuck: found, counts } = await stuck(board);
    expect(counts.overrun).toBe(1);
    expect(found).toMatchObject([
      {
        reason: "overrun",
        task: { id: long.id },
        holder: { agentId: "agent", state: "live" },
        maxRunMs: 60_000,
        progress: "still thinking",
        mustAct: { who: "lead" },
      },
    ]);
    expect(found[0]?.runningMs).toBeGreaterThanOrEqual(60_000);
    ok(await call(board.lead, "PATCH", board.path, { settings: { maxRunMs: null } }));
    expect(await stuck(board)).toMatchObject({ stuck: [], counts: { overrun: 0 } });
  });
});

describe("unclaimable", () => {
  it("lists ready tasks that require what no live token has, until one is minted", async () => {
    const board = await newBoard();
    const mint = async (capabilities: string[], more = {}, role = "worker") =>
      ok(
        await call(board.lead, "POST", `${board.path}/tokens`, {
          agentId: "a",
          role,
          capabilities,
          ...more,
        }),
        201,
      ).info.id;
    const task = await board.add({ title: "both", requiredCapabilities: ["gpu", "rust"] });
    const easy = await board.add({ title: "one", requiredCapabilities: ["gpu"] });
    await board.add({ title: "any" });
    await board.add({ title: "waits", requiredCapabilities: ["cobol"], dependsOn: [task.id] });
    await mint(["rust", "gpu"], {}, "viewer");
    const listed = async () =>
      (await stuck(board, "?reason=unclaimable")).stuck.map((one) => [one.task.id, one.missing]);
    expect(await listed()).toEqual([
      [task.id, ["gpu", "rust"]],
      [easy.id, ["gpu"]],
    ]);
    await mint(["gpu"]);
    expect(await listed()).toEqual([[task.id, ["rust"]]]);
    const rust = await mint(["rust"]);
    expect(await listed()).toEqual([[task.id, []]]);
    expect((await stuck(board)).stuck[0]).toMatchObject({
      task: { since: task.createdAt },
      requiredCapabilities: ["gpu", "rust"],
      mustAct: { who: "lead" },
    });
    const both = await mint(["web", "rust", "gpu"]);
    expect(await listed()).toEqual([]);
    expect((await call(board.lead, "DELETE", `${board.path}/tokens/${both}`)).status).toBe(204);
    expect(await listed()).toEqual([[task.id, []]]);
    expect((await call(board.lead, "DELETE", `${board.path}/tokens/${rust}`)).status).toBe(204);
    await mint(["rust", "gpu"], { expiresInS: 60 });
    expect(await listed()).toEqual([]);
    await inside(board, ({ sql }) =>
      sql.run("update tokens set expires_at = 1 where expires_at is not null"),
    );
    expect(await listed()).toEqual([[task.id, ["rust"]]]);
  });
});

/** Three of each of three reasons. */
async function troubled(): Promise<TestBoard> {
  const board = await newBoard();
  const gone = await board.add({ title: "gone" });
  for (let each = 0; each < 3; each++) {
    await board.add({ title: "stranded", dependsOn: [gone.id] });
    await board.add({ title: "demanding", requiredCapabilities: ["gpu"] });
    const { id } = await board.add({ title: "by hand" });
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { status: "in_progress" }));
  }
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/${gone.id}`, { status: "cancelled" }));
  return board;
}

describe("the list", () => {
  it("is paged reason by reason, each by number, and counts the same on every page", async () => {
    const board = await troubled();
    const whole = await stuck(board);
    expect(whole.stuck.map(({ reason }) => reason)).toEqual(
      ["no_lease", "unreachable", "unclaimable"].flatMap((reason) => Array(3).fill(reason)),
    );
    expect(whole).toMatchObject({ hasMore: false, counts: { no_lease: 3, unreachable: 3, unclaimable: 3 } });
    for (const [limit, pages] of [
      [1, 9],
      [2, 5],
      [3, 3],
      [8, 2],
    ] as const) {
      const found = [];
      let query = `?limit=${limit}`;
      for (let page = 1; page <= pages; page++) {
        const { stuck: part, counts, hasMore, nextCursor } = await stuck(board, query);
        expect(counts).toEqual(whole.counts);
        expect([page, hasMore, nextCursor === null]).toEqual([page, page < pages, page === pages]);
        found.push(...part);
        query = `?limit=${limit}&cursor=${nextCursor}`;
      }
      expect(found).toEqual(whole.stuck);
    }
    const page = await stuck(board, "?reason=unreachable&limit=2");
    const rest = await stuck(board, `?reason=unreachable&limit=2&cursor=${page.nextCursor}`);
    expect([...page.stuck, ...rest.stuck]).toEqual(whole.stuck.slice(3, 6));
    expect(rest.hasMore).toBe(false);
  });

  it("refuses a reason it does not know and a cursor that is not its own", async () => {
    const board = await newBoard();
    for (const query of [
      "?reason=tired",
      "?cursor=x",
      "?cursor=no_lease.",
      "?cursor=tired.1",
      "?reason=overrun&cursor=no_lease.1",
      "?limit=0",
      "?limit=201",
      "?order=oldest",
    ])
      refused(await call(board.lead, "GET", `${board.path}/stuck${query}`), 400, "invalid_request");
  });

  it("is a viewer's to read, also of an archived board, and changes nothing", async () => {
    const board = await troubled();
    const viewer = await board.mint("reader", "viewer");
    ok(await call(board.lead, "PATCH", board.path, { archived: true }));
    const before = await stuck(board);
    const path = `${board.path}/stuck`;
    expect(ok(await call(viewer, "GET", path))).toEqual(before);
  });
});
