/** The server dies under the page and comes back: the page goes on by itself, and shows what is. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Edgeboard } from "../../src/client/index.ts";
import { Killable } from "../crash/killable.ts";
import { startChromium } from "./chromium.ts";
import { makeBoard, type Stage, signedIn } from "./signed-in.ts";

let server: Killable;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([Killable.start(), startChromium()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
}, 60_000);

it("a page whose server was killed and started again shows what the board has, without being touched", async () => {
  const operator = new Edgeboard({ url: server.url, token: server.operatorToken });
  const stage: Stage = {
    server: { ...server, url: server.url, stop: async () => {} } as never,
    browser,
    operator,
    close: async () => {},
  };
  const { board, token } = await makeBoard(stage, "survivor");
  const ids: string[] = [];
  for (let index = 0; index < 5; index++)
    ids.push((await board.tasks.create({ title: `Task ${index}` })).task.id);
  const page = await signedIn(stage, token, "/b/survivor");
  await page.locator('.connection[data-state="live"]').waitFor();
  await server.kill();
  await page.locator('.connection[data-state="offline"]').waitFor();
  // What was last known stays, and says that it is old.
  expect(await page.locator("[data-card]").count()).toBe(5);
  await server.restart();
  await board.tasks.edit(ids[0] as string, { status: "backlog" });
  await board.tasks.create({ title: "After the restart" });
  await page.locator('.connection[data-state="live"]').waitFor({ timeout: 60_000 });
  await page.locator(`.column[data-status="backlog"] [data-card="${ids[0]}"]`).waitFor();
  await page.locator(".card-title", { hasText: "After the restart" }).waitFor();
  expect(await page.locator("[data-card]").count()).toBe(6);
}, 180_000);
