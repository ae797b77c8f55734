/** A created task is told as the interface shows it, by whatever door it came in. */
import { expect, it } from "vitest";
import { execution, storedTask, workspace } from "../../src/contract/task.ts";
import { call, events, newBoard, ok, type TestBoard } from "../support/api.ts";
import { exported, importing } from "../support/exports.ts";
import { fullBoard } from "./full-board.ts";

async function createdEvents(board: TestBoard) {
  const all = await events(board, "&kind=task_created");
  expect(all.length).toBeGreaterThan(0);
  return all.map(({ taskId, data }) => ({ taskId, data }));
}

it("a task that nobody has touched since is what its event says, member by member", async () => {
  const board = await newBoard();
  const root = await board.add({ title: "root", labels: ["a"], requiredCapabilities: ["gpu"], notBefore: 9 });
  const tasks = [{ ref: "a", title: "planned", parentTaskId: root.id, dependsOn: [root.id], budgetUsd: 2 }];
  ok(await call(board.lead, "POST", `${board.path}/plans`, { tasks }), 201);
  await board.add({ title: "blocked", status: "blocked", externalRef: "X-1" });
  for (const { taskId, data } of await createdEvents(board))
    expect(data.task).toEqual(storedTask.parse(await board.get(taskId)));
});

it("so is one that was imported, with its runs and its workspaces", async () => {
  const { board: source } = await fullBoard();
  const copy = await newBoard();
  await importing(copy, await exported(source));
  let [runs, places] = [0, 0];
  for (const { taskId, data } of await createdEvents(copy)) {
    const at = (rest: string) => call(copy.lead, "GET", `${copy.path}/tasks/${taskId}${rest}`);
    expect(data.task).toEqual(storedTask.parse(await copy.get(taskId)));
    expect(data.executions.map((run: unknown) => execution.strict().parse(run))).toEqual(
      ok(await at("/executions")).executions,
    );
    for (const place of data.workspaces) {
      workspace.strict().parse(place);
      places++;
    }
    runs += data.executions.length;
  }
  expect([runs > 2, places > 0]).toEqual([true, true]);
});
