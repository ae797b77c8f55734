import { expect, it } from "vitest";
import { call, newBoard, ok } from "../support/api.ts";

it("a task is created, claimed and completed", async () => {
  const board = await newBoard();
  const worker = await board.mint("agent");
  const task = await board.add({ title: "one" });
  const { lease } = await board.claim(task.id, worker);
  const done = ok(
    await call(worker, "POST", `${board.path}/tasks/${task.id}/complete`, {
      leaseToken: lease.token,
      outcome: "succeeded",
      status: "done",
    }),
  );
  expect(done.task.status).toBe("done");
});
