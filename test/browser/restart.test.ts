/** The server dies under the page and comes back: the page goes on by itself, and shows what is. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Edgeboard } from "../../src/client/index.ts";
import { localSecrets } from "../../src/local/secrets.ts";
import { type LocalServer, startServer } from "../../src/local/server.ts";
import { descendants } from "../crash/processes.ts";
import { freePort } from "../demo/scratch.ts";
import { startChromium } from "./chromium.ts";
import { makeBoard, type Stage, signedIn } from "./signed-in.ts";

const storage = mkdtempSync(join(tmpdir(), "edgeboard-restart-"));
const secrets = localSecrets(join(storage, ".dev.vars"), {} as NodeJS.ProcessEnv);
let start: () => Promise<LocalServer>;
let server: LocalServer;
let browser: Browser;

beforeAll(async () => {
  const port = await freePort();
  start = () => startServer({ port, secrets, storage });
  [server, browser] = await Promise.all([start(), startChromium()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
  rmSync(storage, { recursive: true, force: true });
}, 60_000);

/** Like a machine that loses its power. */
async function kill(): Promise<void> {
  for (const pid of [...descendants(server.pid), server.pid]) process.kill(pid, "SIGKILL");
  await server.exited;
}

it("a page whose server was killed and started again shows what the board has, without being touched", async () => {
  const operatorToken = secrets.EDGEBOARD_OPERATOR_TOKEN;
  const operator = new Edgeboard({ url: server.url, token: operatorToken });
  const stage: Stage = {
    server: {
      url: server.url,
      operatorToken,
      signingKey: secrets.EDGEBOARD_SIGNING_KEY,
      stop: () => server.stop(),
    },
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
  await kill();
  await page.locator('.connection[data-state="offline"]').waitFor();
  // What was last known stays, and says that it is old.
  expect(await page.locator("[data-card]").count()).toBe(5);
  server = await start();
  await board.tasks.edit(ids[0] as string, { status: "backlog" });
  await board.tasks.create({ title: "After the restart" });
  await page.locator('.connection[data-state="live"]').waitFor({ timeout: 60_000 });
  await page.locator(`.column[data-status="backlog"] [data-card="${ids[0]}"]`).waitFor();
  await page.locator(".card-title", { hasText: "After the restart" }).waitFor();
  expect(await page.locator("[data-card]").count()).toBe(6);
}, 180_000);
