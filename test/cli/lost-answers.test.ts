/** Behind a proxy that loses one answer in five nothing is lost and nothing is done twice. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Scratch, startScratch } from "../demo/scratch.ts";
import { type DroppingProxy, startDroppingProxy } from "./dropping-proxy.ts";
import { buildProgram, type Program, type Ran } from "./program.ts";

const TASKS = 10;

let program: Program;
let server: Scratch;
let proxy: DroppingProxy;
let lead = "";

beforeAll(async () => {
  [program, server] = await Promise.all([buildProgram(), startScratch()]);
  // Whichever request it is: the first of every five, so that it also falls on claims and completions.
  proxy = await startDroppingProxy(server.url, (nth) => nth % 5 === 0);
  const env = { EDGEBOARD_URL: server.url, EDGEBOARD_TOKEN: server.operatorToken };
  const made = await program.run(["board", "create", "Lossy", "--id", "lossy", "--json"], { env });
  lead = made.json.token;
}, 120_000);

afterAll(async () => {
  proxy?.stop();
  await server?.stop();
  program?.remove();
});

it("ten tasks are added, claimed, beaten for and finished, each exactly once", {
  timeout: 300_000,
}, async () => {
  const env = { EDGEBOARD_URL: proxy.url, EDGEBOARD_TOKEN: lead };
  const ok = async (...args: string[]): Promise<Ran> => {
    const ran = await program.run(args, { env });
    expect(ran.code, `${args.join(" ")}: ${ran.err}`).toBe(0);
    return ran;
  };
  for (let at = 1; at <= TASKS; at++) {
    await ok("add", `Task ${at}`);
    const { json } = await ok("claim", "--json");
    const task = `n${json.task.number}`;
    await ok("beat", task);
    await ok("comment", task, `Said of ${task}.`);
    await ok("done", task, "-m", `Summary of ${task}.`, "--cost", "0.25");
  }
  expect(proxy.dropped()).toBeGreaterThan(TASKS);
  expect(proxy.passed()).toBeGreaterThan(TASKS * 5 + TASKS);

  const direct = { env: { EDGEBOARD_URL: server.url, EDGEBOARD_TOKEN: lead } };
  const { tasks } = (await program.run(["list", "--all", "--json"], direct)).json;
  expect(tasks).toHaveLength(TASKS);
  for (const { id, title, status, epoch, costUsd } of tasks) {
    expect({ title, status, epoch, costUsd }).toMatchObject({ status: "done", epoch: 1, costUsd: 0.25 });
    const { executions, comments } = (await program.run(["show", id, "--json"], direct)).json;
    expect(executions).toMatchObject([{ status: "succeeded" }]);
    expect(comments).toHaveLength(1);
  }
});
