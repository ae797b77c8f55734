/** A local server, a browser, and pages that are signed in; what goes wrong in them is gathered, and fails a test. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { type Board, Edgeboard } from "../../src/client/index.ts";
import { type Scratch, startScratch } from "../demo/scratch.ts";
import { startChromium } from "./chromium.ts";

export interface Stage {
  server: Scratch;
  browser: Browser;
  operator: Edgeboard;
  close: () => Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const [server, browser] = await Promise.all([startScratch(), startChromium()]);
  return {
    server,
    browser,
    operator: new Edgeboard({ url: server.url, token: server.operatorToken }),
    close: async () => {
      await browser.close();
      await server.stop();
    },
  };
}

/** A new board, as its lead. */
export async function makeBoard(
  stage: Stage,
  id: string,
  settings: object = {},
): Promise<{ board: Board; token: string }> {
  const { token } = await stage.operator.createBoard({ id, name: id, settings });
  return { board: new Edgeboard({ url: stage.server.url, token }).board(id), token };
}

export interface Look {
  width?: number;
  height?: number;
  theme?: "light" | "dark";
  calm?: boolean;
}

/** A page of its own browser session, signed in with this token. */
export async function signedIn(stage: Stage, token: string, path: string, look: Look = {}): Promise<Page> {
  const { width = 1440, height = 900, theme = "light", calm = false } = look;
  const context = await stage.browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: calm ? "reduce" : "no-preference",
  });
  const page = await context.newPage();
  watch(page, stage.server.url);
  // A page of the same origin that does nothing by itself, so that the board is opened signed in.
  await page.goto(`${stage.server.url}/icon.svg`);
  const status = await page.evaluate(async (body) => {
    const headers = { "content-type": "application/json" };
    return (await fetch("/api/v1/session", { method: "POST", headers, body })).status;
  }, JSON.stringify({ token }));
  expect(status).toBe(200);
  await page.goto(stage.server.url + path);
  return page;
}

const faults = new WeakMap<Page, string[]>();

function watch(page: Page, origin: string): void {
  const found: string[] = [];
  faults.set(page, found);
  page.on("console", (message) => {
    // Refusals are answers; a lost connection is what some tests are about.
    const expected = /the server responded with a status of 4|ERR_|WebSocket connection/.test(message.text());
    if (message.type() === "error" && !expected) found.push(message.text());
  });
  page.on("pageerror", (error) => void found.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !/^(data|blob):/.test(request.url()))
      found.push(`a request to ${request.url()}`);
  });
}

/** Nothing failed unseen in it, and it asked nobody else. */
export function expectNoFaults(page: Page): void {
  expect(faults.get(page)).toEqual([]);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds against the page, by rule and place. */
export async function axe(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: the script has just put it there
    const { violations } = await (globalThis as any).axe.run(document);
    return violations.map(
      ({ id, nodes }: { id: string; nodes: { target: string[] }[] }) =>
        `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
    );
  });
}

/** Speed is asserted at three times what is promised: a test machine is slow and shared. */
export const SLOW = 3;
