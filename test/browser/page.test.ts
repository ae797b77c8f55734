/** How the page is served: by which paths, with which headers, and that its policy lets it do what it must. */
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers });

/** The files that the page names, as it is built now. */
async function ownFiles(): Promise<string[]> {
  const page = await (await get("/")).text();
  return [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path]) => path as string);
}

/** How a browser asks for a page, and how anybody else does. */
const WAYS: Record<string, string>[] = [{}, { "sec-fetch-mode": "navigate" }];

describe.each(["/", "/b/demo", "/b/demo/t/n12"])("%s", (path) => {
  it.each(WAYS)("is the page, asked for anew each time (%o)", async (headers) => {
    const response = await get(path, headers);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("cache-control")).toBe("no-cache");
    expect(await response.text()).toContain('<script type="module"');
  });
});

it("the page has a policy that lets nothing in that is written into it or comes from elsewhere", async () => {
  const { headers } = await get("/b/demo");
  const policy = headers.get("content-security-policy")?.split("; ");
  expect(policy).toEqual(
    expect.arrayContaining([
      "default-src 'self'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'self'",
      "frame-ancestors 'none'",
      "object-src 'none'",
    ]),
  );
  expect(policy?.join()).not.toContain("unsafe");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
});

it("its files are kept for a year, under the same policy", async () => {
  const files = await ownFiles();
  expect(files.length).toBeGreaterThan(0);
  for (const path of files) {
    expect(path).toMatch(/-[\w-]{8}\.(?:js|css)$/);
    const { status, headers } = await get(path);
    expect(status).toBe(200);
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  }
});

it.each(["/assets/index-00000000.js", "/api/v1/nothing", "/api/nothing", "/.well-known/nothing"])(
  "%s is not the page: there is nothing",
  async (path) => {
    const response = await get(path, { "sec-fetch-mode": "navigate" });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(response.headers.get("cache-control")).toBe("no-store");
  },
);

it("what the Worker answers by itself stays the Worker's", async () => {
  expect(await (await get("/healthz")).json()).toMatchObject({ status: "ok" });
  expect(await (await get("/docs")).text()).toContain("/docs-reader/start.js");
  expect((await get("/mcp")).status).toBe(401);
  expect((await get("/boards/demo/mcp")).status).toBe(401);
  const reader = await get("/docs-reader/start.js");
  expect(reader.headers.get("content-type")).toMatch(/^text\/javascript/);
  expect(reader.headers.get("cache-control")).toBe("no-cache");
});

it("under its policy the page runs, breaks no rule and reaches the sockets of its own origin alone", async () => {
  const page = await (await browser.newContext()).newPage();
  const said: string[] = [];
  page.on("console", (message) => said.push(message.text()));
  await page.goto(`${server.url}/b/demo`);
  // What is empty is not visible.
  await page.locator("body > :not(script)").first().waitFor();
  expect(said.filter((text) => /policy/i.test(text))).toEqual([]);
  /** What the policy was broken by when a socket was opened; null: the server answered, by refusing. */
  const opened = (url: string) =>
    page.evaluate(
      (url) =>
        new Promise<string | null>((resolve) => {
          (globalThis as unknown as EventTarget).addEventListener("securitypolicyviolation", (event) =>
            resolve((event as Event & { effectiveDirective: string }).effectiveDirective),
          );
          try {
            new WebSocket(url).addEventListener("error", () => setTimeout(() => resolve(null)));
          } catch {}
        }),
      url,
    );
  const own = server.url.replace("http", "ws");
  expect(await opened(`${own}/api/v1/boards/demo/live`)).toBeNull();
  expect(await opened("ws://127.0.0.1:9/")).toBe("connect-src");
}, 60_000);
