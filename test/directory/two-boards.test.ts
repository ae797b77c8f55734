/** Two boards never see each other. */
import { describe, expect, it } from "vitest";
import { call, events, newBoard, ok, refused } from "../support/api.ts";

describe("two boards", () => {
  it("do not see each other's tasks, log or people", async () => {
    const [a, b] = [await newBoard(), await newBoard()];
    const [ofA, ofB] = [
      await a.add({ title: "A's", externalRef: "gh-1" }),
      await b.add({ title: "B's", externalRef: "gh-1" }),
    ];
    expect([ofA.number, ofB.number]).toEqual([1, 1]);
    refused(await call(b.lead, "GET", `${b.path}/tasks/${ofA.id}`), 404, "task_not_found");
    for (const board of [a, b]) {
      const { tasks } = ok(await call(board.lead, "GET", `${board.path}/tasks`));
      expect(tasks).toHaveLength(1);
      expect(JSON.stringify(await events(board))).not.toContain(board === a ? ofB.id : ofA.id);
    }
    refused(
      await call(b.lead, "POST", `${b.path}/tasks/${ofB.id}/dependencies`, { dependsOnTaskId: ofA.id }),
      422,
      "dependency_not_found",
    );
    refused(
      await call(b.lead, "POST", `${b.path}/tasks`, { title: "x", parentTaskId: ofA.id }),
      422,
      "parent_not_found",
    );
  });

  it("do not let each other's tokens in: to them there is no such board", async () => {
    const [a, b] = [await newBoard(), await newBoard()];
    const worker = await a.mint("ada");
    await b.add({ title: "B's" });
    for (const token of [a.lead, worker])
      for (const [method, path, body] of [
        ["GET", "", undefined],
        ["GET", "/tasks/n1", undefined],
        ["POST", "/tasks/n1/claim", {}],
        ["POST", "/claims", {}],
        ["PATCH", "/tasks/n1", { title: "x" }],
      ] as const)
        refused(await call(token, method, b.path + path, body), 404, "board_not_found");
  });

  it("do not honour each other's leases, also of the same task number and epoch", async () => {
    const [a, b] = [await newBoard(), await newBoard()];
    await a.add({ title: "A's" });
    await b.add({ title: "B's" });
    const [adaOnA, adaOnB] = [await a.mint("ada"), await b.mint("ada")];
    const { lease } = await a.claim("n1", adaOnA);
    await b.claim("n1", adaOnB);
    const beat = await call(adaOnB, "POST", `${b.path}/tasks/n1/heartbeat`, { leaseToken: lease.token });
    expect(refused(beat, 409, "lease_lost").reason).toBe("unknown");
    ok(await call(adaOnA, "POST", `${a.path}/tasks/n1/heartbeat`, { leaseToken: lease.token }));
  });

  it("do not share idempotency keys", async () => {
    const [a, b] = [await newBoard(), await newBoard()];
    const key = { "idempotency-key": "same" };
    const first = ok(await call(a.lead, "POST", `${a.path}/tasks`, { title: "x" }, key), 201);
    const other = ok(await call(b.lead, "POST", `${b.path}/tasks`, { title: "x" }, key), 201);
    expect(other.task.id).not.toBe(first.task.id);
  });
});
