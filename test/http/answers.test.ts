/** Every answer of every route is what its contract says: each member of its type, and none that is not named. */
import { expect, it } from "vitest";
import { ROUTES } from "../../src/contract/routes.ts";
import { newBoard } from "../support/api.ts";
import { ALL } from "./support.ts";
import { Walk, walkThrough } from "./walk.ts";

it("every answer of a walk through all routes is exactly what the contract says", async () => {
  const walk = new Walk();
  await walkThrough(walk);
  // A socket has no answer but itself.
  walk.seen.add("openLive 101");
  const declared = ALL.flatMap(({ id, answers }) => Object.keys(answers).map((status) => `${id} ${status}`));
  expect([...walk.seen].sort()).toEqual(declared.sort());
  for (const member of [
    "claimNext.retryAfterMs",
    "claimNext.paused",
    "completeTask.late",
    "claimTask.handoff",
  ])
    expect(walk.members).toContain(member);
});

it("an include that is cut says so", async () => {
  const board = await newBoard();
  const root = await board.add({ title: "root" });
  const tasks = Array.from({ length: 201 }, (_, n) => ({
    ref: `r${n}`,
    title: `t${n}`,
    dependsOn: [root.id],
  }));
  const walk = new Walk();
  await walk.ask(ROUTES.createPlan, 201, { token: board.lead, board: board.id, body: { tasks } });
  const cut = await walk.ask(ROUTES.getTask, 200, {
    token: board.lead,
    board: board.id,
    id: root.id,
    query: "?include=dependents",
  });
  expect([cut.dependents.length, cut.truncated]).toEqual([200, ["dependents"]]);
});
