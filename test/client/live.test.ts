/** The published reader against the real service, over connections that break in every way they can. */
import { describe, expect, it } from "vitest";
import { call, newBoard, OPERATOR, ok } from "../support/api.ts";
import { inside } from "../support/inside.ts";
import { connect, lastSeq, polling, read, seqs, upTo } from "./reading.ts";

describe.each([
  ["a socket", {}],
  ["long polls", polling],
])("over %s", (_way, options) => {
  it("it tells all that was, then all that comes, in order and once", async () => {
    const board = await newBoard();
    for (const title of ["a", "b", "c"]) await board.add({ title });
    const reading = read(board, options);
    await reading.until(() => reading.states.at(-1) === "live");
    for (const title of ["d", "e"]) await board.add({ title });
    const end = await lastSeq(board);
    await reading.until(() => reading.events.at(-1)?.seq === end);
    expect(seqs(reading)).toEqual(upTo(end));
    reading.stop.abort();
    expect(await reading.end).toBe("aborted");
    expect(reading.states.at(-1)).toBe("ended");
  });

  it("it reads the board anew when the log does not reach back, and goes on from there", async () => {
    const board = await newBoard();
    for (const title of ["a", "b", "c", "d"]) await board.add({ title });
    await inside(board, ({ sql }) => sql.run("delete from events where seq < 5"));
    const end = await lastSeq(board);
    const reading = read(board, { after: 2, ...options });
    await reading.until(() => reading.resyncs.length > 0 && reading.states.at(-1) === "live");
    await board.add({ title: "next" });
    await reading.until(() => reading.events.length > 0);
    expect([reading.resyncs.length, seqs(reading)]).toEqual([1, [end + 1]]);
  });

  it("it tells what is asked for only", async () => {
    const board = await newBoard();
    const task = await board.add({ title: "a" });
    await board.add({ title: "b" });
    ok(await call(board.lead, "POST", `${board.path}/tasks/${task.id}/comments`, { body: "hm" }), 201);
    const reading = read(board, { taskId: task.id, kinds: ["comment_added"], ...options });
    await reading.until(() => reading.events.length === 1 && reading.states.at(-1) === "live");
    expect(reading.events[0]).toMatchObject({ kind: "comment_added", taskId: task.id });
  });

  it("it knows that it is up to date also where nothing that was is asked for", async () => {
    const board = await newBoard();
    await board.add({ title: "a" });
    const reading = read(board, { kinds: ["task_dropped"], ...options });
    await reading.until(() => reading.states.at(-1) === "live");
    expect(reading.events).toEqual([]);
  });

  it("it tells what stands of what changed, where cards are asked for, and nothing of it otherwise", async () => {
    const board = await newBoard();
    const blocker = await board.add({ title: "blocker" });
    const waiting = await board.add({ title: "waiting", dependsOn: [blocker.id] });
    const after = await lastSeq(board);
    const [shows, plain] = [
      read(board, { cards: true, after, ...options }),
      read(board, { after, ...options }),
    ];
    await shows.until(() => shows.states.at(-1) === "live" && plain.states.at(-1) === "live");
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${blocker.id}`, { status: "cancelled" }));
    await shows.until(() => shows.events.length === 1 && plain.events.length === 1);
    const [told] = shows.told;
    expect(told?.cards.map(({ id, status }) => [id, status])).toEqual([
      [blocker.id, "cancelled"],
      [waiting.id, "todo"],
    ]);
    expect(told).toMatchObject({ counts: { todo: 1, cancelled: 1 }, asOf: after + 1 });
    expect(plain.told).toEqual([null]);
  });

  it("it reads the board anew where more changed at once than is told, until that works, and goes on", async () => {
    const board = await newBoard();
    const after = await lastSeq(board);
    let tries = 0;
    const reading = read(board, {
      ...{ cards: true, after, ...options },
      onResync: async () => {
        if (++tries === 1) throw new TypeError("fetch failed");
        return lastSeq(board);
      },
    });
    await reading.until(() => reading.states.at(-1) === "live");
    ok(await call(board.lead, "PATCH", board.path, { settings: { leaseTtlMs: 240_000 } }));
    await reading.until(() => tries === 2 && reading.states.at(-1) === "live");
    await board.add({ title: "next" });
    await reading.until(() => reading.events.length > 0);
    expect([tries, seqs(reading)]).toEqual([2, [after + 2]]);
  });

  it("it ends for good when the token does, or the board", async () => {
    const board = await newBoard();
    const minted = ok(
      await call(board.lead, "POST", `${board.path}/tokens`, { agentId: "a", role: "viewer" }),
      201,
    );
    const [ann, operator] = [
      read(board, { token: minted.token, ...options }),
      read(board, { token: OPERATOR, ...options }),
    ];
    await ann.until(() => ann.states.at(-1) === "live" && operator.states.at(-1) === "live");
    ok(await call(board.lead, "DELETE", `${board.path}/tokens/${minted.info.id}`), 204);
    expect(await ann.end).toBe("unauthorized");
    ok(await call(OPERATOR, "DELETE", `${board.path}?confirm=${board.id}`), 204);
    expect(await operator.end).toBe("gone");
  });
});

it("over a socket it tells of beats, where cards are asked for", async () => {
  const board = await newBoard();
  const worker = await board.mint("ann");
  const { id } = await board.add({ title: "a" });
  const { lease } = await board.claim(id, worker);
  const [shows, plain] = [read(board, { cards: true }), read(board)];
  await shows.until(() => shows.states.at(-1) === "live" && plain.states.at(-1) === "live");
  ok(await call(worker, "POST", `${board.path}/tasks/${id}/heartbeat`, { leaseToken: lease.token }));
  await shows.until(() => shows.beats.length === 1);
  expect(shows.beats[0]).toMatchObject({ taskId: id, epoch: 1 });
  await board.add({ title: "b" });
  const end = await lastSeq(board);
  await plain.until(() => plain.events.at(-1)?.seq === end);
  expect(plain.beats).toEqual([]);
});

describe("whatever becomes of the connection", () => {
  it("it goes on where it was when sockets break in the midst of it", async () => {
    const board = await newBoard();
    let opened = 0;
    const reading = read(board, {
      connect: async (url, headers) => {
        opened++;
        const socket = await connect(url, headers);
        let frames = 0;
        socket.addEventListener("message", () => {
          if (++frames === 3 && opened < 4) socket.close(4000, "the network broke");
        });
        return socket;
      },
    });
    for (let n = 0; opened < 4 && n < 400; n++) {
      await board.add({ title: `t${n}` });
      // A runtime that is never idle looks at no timer.
      await scheduler.wait(10);
    }
    expect(opened).toBe(4);
    const end = await lastSeq(board);
    await reading.until(() => reading.events.at(-1)?.seq === end);
    expect(seqs(reading)).toEqual(upTo(end));
    expect(reading.states).toContain("offline");
    expect(reading.states.at(-1)).toBe("live");
  });

  it("a frame that comes twice is told once", async () => {
    const board = await newBoard();
    const reading = read(board, {
      connect: async (url, headers) => {
        const socket = await connect(url, headers);
        return {
          ...{ send: socket.send.bind(socket), close: socket.close.bind(socket) },
          addEventListener: (type, listener) => {
            socket.addEventListener(type, (event) => {
              listener(event);
              if (type === "message") listener(event);
            });
          },
        };
      },
    });
    await reading.until(() => reading.states.at(-1) === "live");
    for (const title of ["a", "b", "c"]) await board.add({ title });
    const end = await lastSeq(board);
    await reading.until(() => reading.events.at(-1)?.seq === end);
    expect(seqs(reading)).toEqual(upTo(end));
  });

  it("what is applied slowly is applied in order, and one after the other", async () => {
    const board = await newBoard();
    const [told, atOnce] = [[] as number[], { now: 0, most: 0 }];
    const reading = read(board, {
      onEvents: async (events) => {
        atOnce.most = Math.max(atOnce.most, ++atOnce.now);
        await scheduler.wait(events.length);
        told.push(...events.map(({ seq }) => seq));
        atOnce.now--;
      },
    });
    await reading.until(() => reading.states.at(-1) === "live");
    for (let n = 0; n < 20; n++) await board.add({ title: `t${n}` });
    const end = await lastSeq(board);
    await reading.until(() => told.at(-1) === end);
    expect([told, atOnce.most]).toEqual([upTo(end), 1]);
  });

  it("more than a window of it comes whole, since it gives its receipts", async () => {
    const board = await newBoard();
    const tasks = Array.from({ length: 100 }, (_, n) => ({
      ref: `r${n}`,
      title: "t",
      description: "x".repeat(20_000),
    }));
    ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
    const end = await lastSeq(board);
    const reading = read(board);
    await reading.until(() => reading.events.at(-1)?.seq === end);
    expect(seqs(reading)).toEqual(upTo(end));
    expect(reading.states).toEqual(["connecting", "catching_up", "live"]);
  });

  it("a server that is not there is asked again, later each time, and nobody is told that it is live", async () => {
    const board = await newBoard();
    let tries = 0;
    const reading = read(board, {
      connect: () => {
        tries++;
        throw new Error("refused");
      },
      fetch: () => {
        tries++;
        throw new TypeError("fetch failed");
      },
    });
    await reading.until(() => tries >= 5);
    expect(reading.states).toEqual(["connecting", "offline"]);
    reading.stop.abort();
    expect(await reading.end).toBe("aborted");
  });
});
