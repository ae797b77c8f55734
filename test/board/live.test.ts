/** Sockets that follow a board: what they are told, from where on, and when they are let go. */
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { CLOSE } from "../../src/contract/socket.ts";
import { call, newBoard, OPERATOR, ok, refused } from "../support/api.ts";
import { backdate } from "../support/inside.ts";
import { type Follower, follow, hold, upgrade } from "../support/socket.ts";

const seqOf = async (board: { path: string; lead: string }): Promise<number> =>
  ok(await call(board.lead, "GET", board.path)).seq;

describe("a socket", () => {
  it("says where the log stands, then tells each change as the log has it", async () => {
    const board = await newBoard();
    await board.add({ title: "before" });
    const start = await seqOf(board);
    const follower = await follow(board);
    await board.add({ title: "one" });
    const two = await board.add({ title: "two" });
    await board.claim(two.id, await board.mint("ann"));
    const end = await seqOf(board);
    await follower.until(() => follower.seqs().at(-1) === end);
    expect(follower.messages[0]).toEqual({ type: "hello", seq: start });
    expect(follower.seqs()).toEqual(Array.from({ length: end - start }, (_, index) => start + 1 + index));
    const log = ok(await call(board.lead, "GET", `${board.path}/events?after=${start}`)).events;
    expect(follower.messages.flatMap((m) => (m.type === "events" ? m.events : []))).toEqual(log);
  });

  it("tells what one turn committed in one frame", async () => {
    const board = await newBoard();
    const follower = await follow(board);
    const tasks = Array.from({ length: 30 }, (_, index) => ({ ref: `r${index}`, title: `t${index}` }));
    ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
    await follower.until(() => follower.seqs().length >= 30);
    expect(follower.messages.filter(({ type }) => type === "events")).toHaveLength(1);
  });

  it("goes on after any seq it is given, without a gap or a repeat", async () => {
    const board = await newBoard();
    for (const title of ["a", "b", "c"]) await board.add({ title });
    const end = await seqOf(board);
    for (let after = 0; after <= end; after++) {
      const follower = await follow(board, `?after=${after}`);
      await follower.until(() => follower.messages.length >= (after < end ? 2 : 1));
      expect([after, follower.seqs()]).toEqual([
        after,
        Array.from({ length: end - after }, (_, index) => after + 1 + index),
      ]);
    }
  });

  it("tells what the board does by itself, too", async () => {
    const board = await newBoard();
    const task = await board.add({ title: "swept" });
    await board.claim(task.id, await board.mint("ann"));
    const follower = await follow(board);
    await backdate(board, task.id, 180_000);
    await runDurableObjectAlarm(board.stub());
    await follower.until(() => follower.seqs().length > 0);
    expect(follower.messages.at(-1)).toMatchObject({ events: [{ kind: "task_released", taskId: task.id }] });
  });

  it("hears nothing of what was refused or tried only", async () => {
    const board = await newBoard();
    const follower = await follow(board);
    refused(await call(board.lead, "POST", `${board.path}/tasks`, { title: "" }), 400, "invalid_request");
    const tasks = [{ ref: "a", title: "tried" }];
    ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks, dryRun: true }));
    await board.add({ title: "stored" });
    await follower.until(() => follower.seqs().length > 0);
    expect(follower.messages).toHaveLength(2);
    expect(follower.messages[1]).toMatchObject({ events: [{ kind: "task_created" }] });
  });

  it("follows one task, or some kinds, and still knows how far it is", async () => {
    const board = await newBoard();
    const task = await board.add({ title: "followed" });
    const ofTask = await follow(board, `?taskId=n${task.number}&after=0`);
    const comments = await follow(board, "?kind=comment_added&kind=task_dropped");
    const other = await board.add({ title: "other" });
    for (const { id } of [task, other])
      ok(await call(board.lead, "POST", `${board.path}/tasks/${id}/comments`, { body: "hm" }), 201);
    const end = await seqOf(board);
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${task.id}`));
    await comments.until(() => comments.seqs().length === 3);
    await ofTask.until(() => ofTask.seqs().length === 3);
    expect(ofTask.messages.flatMap((m) => (m.type === "events" ? m.events : [])).map((e) => e.kind)).toEqual([
      "task_created",
      "comment_added",
      "task_dropped",
    ]);
    expect(comments.seqs()).toEqual([end - 1, end, end + 1]);
    expect(refused(await json(await upgrade(board, board.lead, "?taskId=n999")), 404, "task_not_found"));
  });

  it("answers a ping without waking the board", async () => {
    const board = await newBoard();
    const follower = await follow(board);
    follower.socket.send("ping");
    await follower.until(() => follower.pongs === 1);
    expect(await runInDurableObject(board.stub(), (_board, state) => state.getWebSockets().length)).toBe(1);
    expect(follower.closed).toBeNull();
  });
});

describe("a reader that was away too long", () => {
  it.each([
    ["further back than the log", 3],
    ["beyond its end", 99_999],
  ])("is told to read anew when it asks from %s", async (_where, after) => {
    const board = await newBoard();
    for (const title of ["a", "b", "c", "d"]) await board.add({ title });
    await runInDurableObject(board.stub(), (_board, state) => {
      state.storage.sql.exec("delete from events where seq < 6");
    });
    const end = await seqOf(board);
    const follower = await follow(board, `?after=${after}`);
    await follower.until(() => follower.messages.length === 2);
    expect(follower.messages[1]).toEqual({ type: "resync", seq: end });
    await board.add({ title: "next" });
    await follower.until(() => follower.seqs().length === 1);
    expect(follower.seqs()).toEqual([end + 1]);
  });
});

describe("a socket outlives its object's sleep", () => {
  it("and hears the next change, filters and all", async () => {
    const board = await newBoard();
    const all = await follow(board);
    const dropped = await follow(board, "?kind=task_dropped");
    const task = await board.add({ title: "before" });
    await all.until(() => all.seqs().length === 1);
    await evictDurableObject(board.stub(), { webSockets: "hibernate" });
    await board.add({ title: "after" });
    await all.until(() => all.seqs().length === 2);
    ok(await call(board.lead, "DELETE", `${board.path}/tasks/${task.id}`));
    await all.until(() => all.seqs().length === 3);
    await dropped.until(() => dropped.seqs().length === 1);
    expect(all.seqs()).toEqual([all.seqs()[0], (all.seqs()[0] ?? 0) + 1, (all.seqs()[0] ?? 0) + 2]);
  });

  it("leaves no timer behind: an idle socket keeps nothing awake", async () => {
    const board = await newBoard();
    await follow(board);
    await runDurableObjectAlarm(board.stub());
    expect(await runInDurableObject(board.stub(), (_board, state) => state.storage.getAlarm())).toBeNull();
  });
});

describe("a socket ends", () => {
  it("with its own words, when the client closes it", async () => {
    const board = await newBoard();
    const follower = await follow(board);
    follower.socket.close(4000, "done here");
    await follower.until(() => follower.closed !== null);
    expect(follower.closed).toEqual({ code: 4000, reason: "done here" });
    await board.add({ title: "nobody hears this" });
    expect(await runInDurableObject(board.stub(), (_board, state) => state.getWebSockets().length)).toBe(0);
  });

  it.each(["hello?", '{"type":"ack"}', '{"type":"ack","seq":1,"more":1}', "x".repeat(100_000)])(
    "when it says something nobody understands: %.20s",
    async (text) => {
      const board = await newBoard();
      const [strange, other] = [await follow(board), await follow(board)];
      strange.socket.send(text);
      await strange.until(() => strange.closed !== null);
      expect(strange.closed?.code).toBe(CLOSE.unknownMessage);
      await board.add({ title: "others go on" });
      await other.until(() => other.seqs().length === 1);
    },
  );

  it("with the token it was opened with, and with no other", async () => {
    const board = await newBoard();
    const minted = ok(
      await call(board.lead, "POST", `${board.path}/tokens`, { agentId: "ann", role: "viewer" }),
      201,
    );
    const ann = await follow(board, "", minted.token);
    const lead = await follow(board);
    ok(await call(board.lead, "DELETE", `${board.path}/tokens/${minted.info.id}`), 204);
    await ann.until(() => ann.closed !== null);
    expect([ann.closed?.code, ann.seqs()]).toEqual([CLOSE.token, []]);
    await lead.until(() => lead.seqs().length === 1);
    expect(lead.closed).toBeNull();
    refused(await json(await upgrade(board, minted.token)), 401, "token_revoked");
  });

  it("when its token expires, at the next change", async () => {
    const board = await newBoard();
    const token = await board.mint("ann", "viewer", { expiresInS: 3_600 });
    const ann = await follow(board, "", token);
    await runInDurableObject(board.stub(), (_board, state) => {
      for (const socket of state.getWebSockets()) {
        const reader = socket.deserializeAttachment();
        socket.serializeAttachment({ ...reader, token: { ...reader.token, expiresAt: Date.now() } });
      }
    });
    await board.add({ title: "too late for ann" });
    await ann.until(() => ann.closed !== null);
    expect([ann.closed?.code, ann.seqs()]).toEqual([CLOSE.token, []]);
  });

  it("with its board", async () => {
    const board = await newBoard();
    const follower = await follow(board);
    ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
    await follower.until(() => follower.closed !== null);
    expect(follower.closed?.code).toBe(CLOSE.gone);
  });
});

describe("a socket is refused", () => {
  it("without an upgrade, a token, a board, or with what it cannot take", async () => {
    const board = await newBoard();
    const plain = await call(board.lead, "GET", `${board.path}/live`);
    refused(plain, 426, "upgrade_required");
    expect(plain.headers.get("upgrade")).toBe("websocket");
    refused(await json(await upgrade(board, null)), 401, "unauthenticated");
    refused(await json(await upgrade({ path: "/boards/nothing-here" }, OPERATOR)), 404, "board_not_found");
    for (const query of ["?after=-1", "?after=x", "?kind=nothing", "?since=3"])
      refused(await json(await upgrade(board, board.lead, query)), 400, "invalid_request");
  });

  it("when as many follow the board as may, and there is room again when one goes", async () => {
    const board = await newBoard();
    const first = await follow(board);
    // Their other ends are held on to: a socket whose other end is collected as garbage is closed.
    const others = await runInDurableObject(board.stub(), (_board, state) =>
      Array.from({ length: 999 }, () => {
        const { 0: theirs, 1: ours } = new WebSocketPair();
        state.acceptWebSocket(ours);
        return theirs;
      }),
    );
    const full = refused(await json(await upgrade(board, board.lead)), 503, "board_overloaded");
    expect(full).toMatchObject({ limit: 1_000, retryable: true });
    first.socket.close(1000);
    await first.until(() => first.closed !== null);
    const response = await upgrade(board, board.lead);
    hold(response.webSocket as WebSocket);
    expect([response.status, others.length]).toEqual([101, 999]);
  });

  it("when one token has as many as it may, and nobody else for that", async () => {
    const board = await newBoard();
    const other = await board.mint("other", "viewer");
    const own: Follower[] = [];
    for (let open = 0; open < 100; open++) own.push(await follow(board));
    const full = refused(await json(await upgrade(board, board.lead)), 503, "board_overloaded");
    expect(full).toMatchObject({ limit: 100, retryable: true });
    for (const token of [other, OPERATOR]) {
      const response = await upgrade(board, token);
      hold(response.webSocket as WebSocket);
      expect(response.status).toBe(101);
    }
    own[0]?.socket.close(1000);
    await own[0]?.until(() => own[0]?.closed !== null);
    const response = await upgrade(board, board.lead);
    hold(response.webSocket as WebSocket);
    expect(response.status).toBe(101);
  });
});

async function json(response: Response) {
  const text = await response.text();
  return { status: response.status, text, json: JSON.parse(text), headers: response.headers };
}
