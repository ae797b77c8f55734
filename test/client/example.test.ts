/** What the guide shows, run. `test/structure/docs.test.ts` sees to it that it shows this very text. */
import { expect, it } from "vitest";
import { newBoard } from "../support/api.ts";
import { connect, network } from "../support/network.ts";
import { byHand, worker } from "./example.ts";

it("the worker of the guide does what it is asked for, and stops when it is told to", async () => {
  const board = await newBoard();
  const { id } = await board.add({ title: "Guide", labels: ["docs"] });
  const net = network();
  const stop = new AbortController();
  const working = worker(connect(net, await board.mint("ann")), stop.signal);
  while ((await board.get(id)).status !== "in_review") await scheduler.wait(5);
  stop.abort();
  expect(await working).toMatchObject({ succeeded: 1 });
});

it("the other one does one task by hand, or says who has it", async () => {
  const board = await newBoard();
  const { id } = await board.add({ title: "Guide" });
  const net = network();
  await byHand(connect(net, await board.mint("ann")), id);
  expect(await board.get(id)).toMatchObject({ status: "done" });
  const held = await board.add({ title: "Held" });
  await board.claim(held.id, await board.mint("bob"));
  await byHand(connect(net, await board.mint("ann")), held.id);
  expect(net.sent.at(-1)).toMatchObject({ status: 409, answer: { holder: { agentId: "bob" } } });
});
