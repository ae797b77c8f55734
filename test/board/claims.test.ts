/** One winner per task, whoever asks and however often. */
import { describe, expect, it } from "vitest";
import { call, events, newBoard, ok, refused } from "../support/api.ts";

describe("a claim", () => {
  it("is won by one of 200 racers; the others are told who has it, without a token and for good", async () => {
    const board = await newBoard();
    const task = await board.add({ title: "one" });
    const racers = await Promise.all(Array.from({ length: 20 }, (_, i) => board.mint(`racer-${i}`)));
    const replies = await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        call(racers[i % 20] as string, "POST", `${board.path}/tasks/${task.id}/claim`, {}),
      ),
    );
    const [winner, ...more] = replies.filter((reply) => reply.status === 200);
    expect(more).toEqual([]);
    for (const reply of replies.filter((each) => each !== winner)) {
      const problem = refused(reply, 409, "conflict");
      expect(problem).toMatchObject({ retryable: false, holder: { state: "live", epoch: 1 } });
      expect(problem.hint).toBeTruthy();
      expect(reply.text).not.toContain(winner?.json.lease.token);
      expect(reply.headers.get("retry-after")).toBeNull();
    }
    expect((await events(board)).filter((event) => event.kind === "task_claimed")).toHaveLength(1);
    const { executions } = ok(await call(board.lead, "GET", `${board.path}/tasks/${task.id}/executions`));
    expect(executions).toHaveLength(1);
  });

  it("leaves task, run and holder agreeing", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent", "worker", { runtime: "codex" });
    const { id } = await board.add({ title: "t" });
    const { task, lease } = await board.claim(id, worker);
    expect(task).toMatchObject({
      status: "in_progress",
      assigneeAgentId: "agent",
      assigneeRuntime: "codex",
      ready: false,
      lease: { agentId: "agent", epoch: 1, executionId: lease.executionId, state: "live" },
    });
    expect(task.lease.token).toBeUndefined();
    expect(lease).toMatchObject({ ttlMs: 180_000, beatEveryMs: 30_000 });
  });

  it("by the same agent from another session, without the key, is a conflict too", async () => {
    const board = await newBoard();
    const [one, two] = [await board.mint("same"), await board.mint("same")];
    const { id } = await board.add({ title: "t" });
    await board.claim(id, one);
    expect(
      refused(await call(two, "POST", `${board.path}/tasks/${id}/claim`, {}), 409, "conflict").holder.agentId,
    ).toBe("same");
  });

  it("of what is done is terminal, of what is blocked or in backlog a conflict that says so", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    for (const status of ["backlog", "blocked"]) {
      const { id } = await board.add({ title: status, status });
      const problem = refused(
        await call(worker, "POST", `${board.path}/tasks/${id}/claim`, {}),
        409,
        "conflict",
      );
      expect(problem.taskStatus).toBe(status);
    }
    const { id } = await board.add({ title: "gone" });
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${id}`, { status: "cancelled" }));
    refused(await call(worker, "POST", `${board.path}/tasks/${id}/claim`, {}), 409, "terminal");
    refused(
      await call(worker, "POST", `${board.path}/tasks/${crypto.randomUUID()}/claim`, {}),
      404,
      "task_not_found",
    );
  });

  it("needs the capabilities of the token, whatever the body says, and the runtime a task is reserved for", async () => {
    const board = await newBoard();
    const plain = await board.mint("plain");
    const able = await board.mint("able", "worker", { capabilities: ["write"], runtime: "codex" });
    const writing = await board.add({ title: "write", requiredCapabilities: ["write"] });
    const reserved = await board.add({ title: "reserved", assigneeRuntime: "codex" });
    const claimPath = (id: string) => `${board.path}/tasks/${id}/claim`;
    expect(
      refused(await call(plain, "POST", claimPath(writing.id), {}), 409, "capability_mismatch").missing,
    ).toEqual(["write"]);
    refused(await call(plain, "POST", claimPath(reserved.id), {}), 409, "runtime_mismatch");
    refused(await call(plain, "POST", claimPath(reserved.id), { runtime: "other" }), 409, "runtime_mismatch");
    expect(ok(await call(plain, "POST", `${board.path}/claims`, { limit: 10 })).claims).toEqual([]);
    expect(ok(await call(able, "POST", `${board.path}/claims`, { limit: 10 })).claims).toHaveLength(2);
  });

  it("deeper than the board lets run is refused, unless a lead ignores it", async () => {
    const board = await newBoard({ caps: { maxDepth: 0 } });
    const worker = await board.mint("agent");
    const root = await board.add({ title: "root" });
    const child = await board.add({ title: "child", parentTaskId: root.id });
    refused(await call(worker, "POST", `${board.path}/tasks/${child.id}/claim`, {}), 422, "depth_cap");
    refused(
      await call(worker, "POST", `${board.path}/tasks/${child.id}/claim`, { ignoreDepth: true }),
      403,
      "forbidden",
    );
    ok(await call(board.lead, "POST", `${board.path}/tasks/${child.id}/claim`, { ignoreDepth: true }));
  });

  it("for another agent is a lead's to make", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const { id } = await board.add({ title: "t" });
    const body = { assigneeAgentId: "agent-2" };
    refused(await call(worker, "POST", `${board.path}/tasks/${id}/claim`, body), 403, "identity_mismatch");
    expect(
      ok(await call(board.lead, "POST", `${board.path}/tasks/${id}/claim`, body)).task.assigneeAgentId,
    ).toBe("agent-2");
  });

  it("of what waits for open blockers is a lead's to force, and audited", async () => {
    const board = await newBoard();
    const first = await board.add({ title: "first" });
    const second = await board.add({ title: "second", dependsOn: [first.id] });
    ok(
      await call(board.lead, "POST", `${board.path}/tasks/${second.id}/claim`, { ignoreDependencies: true }),
    );
    const { entries } = ok(await call(board.lead, "GET", `${board.path}/audit?kind=ignore_dependencies`));
    expect(entries).toMatchObject([{ taskId: second.id, actorId: "lead" }]);
  });

  it("hands over what the last worker left and what the blockers achieved", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const blocker = await board.add({ title: "blocker" });
    const { id } = await board.add({ title: "waits", dependsOn: [blocker.id] });
    const first = await board.claim(blocker.id, worker);
    ok(
      await call(worker, "POST", `${board.path}/tasks/${blocker.id}/complete`, {
        leaseToken: first.lease.token,
        outcome: "succeeded",
        status: "done",
        summary: "the schema is in place",
      }),
    );
    const second = await board.claim(id, worker);
    expect(second.blockers).toMatchObject([{ id: blocker.id, summary: "the schema is in place" }]);
    expect(second.handoff).toBeUndefined();
    const handoff = { done: ["half"], next: "the rest", commands: { verify: "npm test" } };
    ok(
      await call(worker, "POST", `${board.path}/tasks/${id}/release`, {
        leaseToken: second.lease.token,
        handoff,
      }),
    );
    expect((await board.claim(id, worker)).handoff).toEqual(handoff);
  });
});

describe("claim-next", () => {
  it("hands out 60 different tasks to 60 callers, in queue order", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const tasks = Array.from({ length: 60 }, (_, i) => ({ ref: `${i}`, title: `t${i}`, priority: i % 4 }));
    ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
    const ready = ok(await call(worker, "GET", `${board.path}/tasks?ready=true&limit=60`)).tasks;
    const given: string[] = [];
    for (let i = 0; i < 6; i++)
      for (const { task } of ok(await call(worker, "POST", `${board.path}/claims`, { limit: 10 })).claims)
        given.push(task.id);
    expect(given).toEqual(ready.map((task: { id: string }) => task.id));
    const nothing = ok(await call(worker, "POST", `${board.path}/claims`, {}));
    expect(nothing.claims).toEqual([]);
    expect(nothing.retryAfterMs).toBeGreaterThan(0);
  });

  it("filters by team, labels, kind and parent", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const parent = await board.add({ title: "parent", priority: 9 });
    const wanted = await board.add({
      title: "wanted",
      teamId: "core",
      labels: ["api", "urgent"],
      kind: "bug",
      parentTaskId: parent.id,
    });
    for (const filter of [
      { teamId: "core" },
      { labels: ["urgent", "api"] },
      { kind: "bug" },
      { parentTaskId: parent.id },
    ]) {
      const { claims } = ok(await call(worker, "POST", `${board.path}/claims`, { ...filter, limit: 5 }));
      expect(claims.map((claim: { task: { id: string } }) => claim.task.id)).toEqual([wanted.id]);
      ok(
        await call(worker, "POST", `${board.path}/tasks/${wanted.id}/release`, {
          leaseToken: claims[0].lease.token,
        }),
      );
    }
    expect(
      ok(await call(worker, "POST", `${board.path}/claims`, { labels: ["api", "none"] })).claims,
    ).toEqual([]);
  });

  it("hands out nothing while the board is paused, and everything afterwards", async () => {
    const board = await newBoard();
    const worker = await board.mint("agent");
    const running = await board.add({ title: "running", priority: 9 });
    await board.add({ title: "waiting" });
    const { lease } = await board.claim(running.id, worker);
    ok(await call(board.lead, "PATCH", board.path, { paused: true }));
    expect(ok(await call(worker, "POST", `${board.path}/claims`, {}))).toMatchObject({
      claims: [],
      paused: true,
    });
    const beat = ok(
      await call(worker, "POST", `${board.path}/tasks/${running.id}/heartbeat`, { leaseToken: lease.token }),
    );
    expect(beat.directives).toMatchObject([{ kind: "drain" }]);
    ok(
      await call(worker, "POST", `${board.path}/tasks/${running.id}/complete`, {
        leaseToken: lease.token,
        outcome: "succeeded",
        status: "done",
      }),
    );
    ok(await call(board.lead, "PATCH", board.path, { paused: false }));
    expect(ok(await call(worker, "POST", `${board.path}/claims`, {})).claims).toHaveLength(1);
  });

  it("in fifo order serves the longest ready first", async () => {
    const board = await newBoard({ readyOrder: "fifo" });
    const worker = await board.mint("agent");
    const old = await board.add({ title: "old" });
    const young = await board.add({ title: "young" });
    ok(await call(board.lead, "PATCH", `${board.path}/tasks/${old.id}`, { title: "old, edited last" }));
    const { claims } = ok(await call(worker, "POST", `${board.path}/claims`, { limit: 2 }));
    expect(claims.map((claim: { task: { id: string } }) => claim.task.id)).toEqual([old.id, young.id]);
  });
});
