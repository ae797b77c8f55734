/** What a browser makes of the service: its policies, its cookie, its sockets. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Scratch, startScratch } from "../demo/scratch.ts";
import { startChromium } from "./chromium.ts";

let server: Scratch;
let browser: Browser;

beforeAll(async () => {
  [server, browser] = await Promise.all([startScratch(), startChromium()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
async function asOperator(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${server.operatorToken}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}

/** A page of our own origin that does nothing by itself. */
async function ownPage(): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  await page.goto(`${server.url}/docs`);
  return page;
}

/** Another origin on the same host: the same site, so that a browser does send our cookie along from there. */
async function strangeOrigin(): Promise<{ url: string; close: () => void }> {
  const other = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end("-"),
  );
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(other.address() as AddressInfo).port}`, close: () => other.close() };
}

/** Signs the page in by a link's code, as whoever opens the link does. */
async function signIn(page: Page): Promise<number> {
  const { code } = await asOperator("POST", "/session/link");
  return page.evaluate(async (code) => {
    const response = await fetch("/api/v1/session", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    return response.status;
  }, code);
}

/** What a socket on the board says first; null: it was refused. */
function firstWord(page: Page, url: string): Promise<string | null> {
  return page.evaluate(
    (url) =>
      new Promise<string | null>((resolve) => {
        const socket = new WebSocket(url);
        socket.addEventListener("message", ({ data }) => {
          resolve(JSON.parse(String(data)).type);
          socket.close();
        });
        socket.addEventListener("error", () => resolve(null));
      }),
    url,
  );
}

it("the reader of the interface shows every call, under its own strict policy and from this server alone", async () => {
  const page = await (await browser.newContext()).newPage();
  const faults: string[] = [];
  const elsewhere: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && faults.push(message.text())));
  page.on("pageerror", (error) => void faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(server.url) && !request.url().startsWith("data:"))
      elsewhere.push(request.url());
  });
  await page.goto(`${server.url}/docs`);
  await page.getByText("/api/v1/boards/{board}/live").first().waitFor();
  const shown = await page.locator(".opblock").count();
  const { paths } = (await (await fetch(`${server.url}/api/v1/openapi.json`)).json()) as { paths: object };
  const described = Object.values(paths).flatMap((item) => Object.keys(item)).length;
  expect([shown, faults, elsewhere]).toEqual([described, [], []]);
}, 60_000);

it("a link signs a browser in; the page sees who it is, and never the cookie", async () => {
  const page = await ownPage();
  expect(await signIn(page)).toBe(200);
  expect(await page.evaluate(async () => (await fetch("/api/v1/me")).json())).toMatchObject({
    role: "operator",
  });
  expect(await page.evaluate("document.cookie")).toBe("");
  const [cookie] = await page.context().cookies();
  expect(cookie).toMatchObject({ name: "edgeboard", httpOnly: true, sameSite: "Strict" });
  await page.evaluate(() => fetch("/api/v1/session", { method: "DELETE" }));
  expect(await page.evaluate(async () => (await fetch("/api/v1/me")).status)).toBe(401);
}, 60_000);

it("a signed-in page follows a board and writes to it; a page of another origin does neither with its cookie", async () => {
  await asOperator("POST", "/boards", { id: "seen", name: "Seen" });
  const live = `${server.url.replace("http", "ws")}/api/v1/boards/seen/live`;
  const page = await ownPage();
  expect(await firstWord(page, live)).toBeNull();
  await signIn(page);
  expect(await firstWord(page, live)).toBe("hello");
  const write = (from: Page) =>
    from.evaluate(async (url) => {
      const init = {
        method: "POST",
        credentials: "include" as const,
        headers: { "content-type": "application/json" },
        body: '{"title":"x"}',
      };
      const response = await fetch(url, init).catch(() => null);
      return response?.status ?? null;
    }, `${server.url}/api/v1/boards/seen/tasks`);
  expect(await write(page)).toBe(201);
  const elsewhere = await strangeOrigin();
  const strange = await page.context().newPage();
  await strange.goto(elsewhere.url);
  expect(await firstWord(strange, live)).toBeNull();
  expect(await write(strange)).toBeNull();
  elsewhere.close();
  const { counts } = await asOperator("GET", "/boards/seen");
  expect(counts.todo).toBe(1);
}, 60_000);
