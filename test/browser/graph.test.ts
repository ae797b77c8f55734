/** The graph of what waits for what. */
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Board } from "../../src/client/index.ts";
import { axe, expectNoFaults, makeBoard, openStage, SLOW, type Stage, signedIn } from "./signed-in.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterEach(async () => {
  for (const context of stage.browser.contexts()) await context.close();
});
afterAll(() => stage?.close());

/** What comes over the network comes when it comes: there is no harm in a slow machine. */
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 20_000 });

/** n1 ← n2 ← n3 and n1 ← n4; n5 stands alone. */
async function smallPlan(board: Board): Promise<void> {
  await board.createPlan({
    tasks: [
      { ref: "1", title: "Write the schema" },
      { ref: "2", title: "Store notes", dependsOn: ["1"] },
      { ref: "3", title: "Notes over HTTP", dependsOn: ["2"] },
      { ref: "4", title: "Tags", dependsOn: ["1"] },
      { ref: "5", title: "Choose a name" },
    ],
  });
}

async function openGraph(id: string, query = "", look = {}): Promise<{ page: Page; board: Board }> {
  const { board, token } = await makeBoard(stage, id);
  await smallPlan(board);
  const page = await signedIn(stage, token, `/b/${id}/graph${query}`, look);
  await page
    .locator(query.includes("list") ? ".graph-item" : ".graph-node")
    .first()
    .waitFor();
  return { page, board };
}

const node = (page: Page, number: number) =>
  page.locator(".graph-node", {
    has: page.locator(".graph-number", { hasText: new RegExp(`^n${number}$`) }),
  });

const placesOf = (page: Page) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll(".graph-node")].map((node) => [node.querySelector(".graph-number").textContent, node.style.left, node.style.top].join()).sort()`,
  );

describe("a small graph", () => {
  it("recolours one node when a task is claimed: all stay where and what they are", async () => {
    const { page, board } = await openGraph("claimed");
    const before = await placesOf(page);
    await page.evaluate("globalThis.kept = [...document.querySelectorAll('.graph-node')]");
    await board.claim("n1");
    await page.locator('.graph-node[data-status="in_progress"]').waitFor();
    expect(await node(page, 1).getAttribute("data-status")).toBe("in_progress");
    expect(await page.locator('.graph-node[data-status="todo"]').count()).toBe(4);
    expect(await placesOf(page)).toEqual(before);
    expect(
      await page.evaluate(
        "globalThis.kept.every((node, at) => node === document.querySelectorAll('.graph-node')[at])",
      ),
    ).toBe(true);
    expectNoFaults(page);
  });

  it("is laid out anew when another edge comes", async () => {
    const { page, board } = await openGraph("linked");
    const before = await node(page, 5).getAttribute("style");
    await board.tasks.link("n5", { dependsOnTaskId: "n3" });
    await soon(() => node(page, 5).getAttribute("style")).not.toBe(before);
    const left = (number: number) =>
      node(page, number).evaluate((element) => Number.parseFloat(element.style.left));
    expect(await left(5)).toBeGreaterThan(await left(3));
  });

  it("has the longest chain of open work marked, and what holds a task up when one looks at it", async () => {
    const { page } = await openGraph("chain");
    expect(await page.locator(".graph-node[data-chain]").count()).toBe(3);
    expect(await page.locator(".graph-why").textContent()).toContain("3 tasks, n1 to n3");
    await node(page, 3).hover();
    await soon(() => page.locator(".graph-node[data-lit]").count()).toBe(3);
    expect(await page.locator(".graph-why").textContent()).toContain(
      "waits for 2 open tasks. First: n1 Write the schema (to do)",
    );
  });

  it("is walked by arrows along its edges, and Enter opens a task", async () => {
    const { page } = await openGraph("walked");
    const focused = () => page.locator(".graph-node:focus .graph-number").textContent();
    await node(page, 1).focus();
    await page.keyboard.press("ArrowRight");
    expect(["n2", "n4"]).toContain(await focused());
    // The two stand on one rank, one over the other.
    for (const key of ["ArrowUp", "ArrowDown"])
      if ((await focused()) === "n4") await page.keyboard.press(key);
    expect(await focused()).toBe("n2");
    await page.keyboard.press("ArrowRight");
    expect(await focused()).toBe("n3");
    await page.keyboard.press("ArrowLeft");
    expect(await focused()).toBe("n2");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/t\/n2$/);
  });

  it("refuses an edge that closes a ring, and names the ring", async () => {
    const { page, board } = await openGraph("ring");
    await page.getByRole("button", { name: "Change what waits" }).click();
    await page.getByLabel("This task").fill("n1");
    await page.getByLabel("waits for").fill("n3");
    await page.getByRole("button", { name: "Let it wait" }).click();
    await page.locator(".graph-ring").waitFor();
    const ring = await page.locator(".graph-ring .number").allTextContents();
    expect(ring[0]).toBe(ring.at(-1));
    expect(new Set(ring)).toEqual(new Set(["n1", "n2", "n3"]));
    expect(await page.locator(".graph-ring").textContent()).toContain("Write the schema");
    await page.getByLabel("This task").fill("n5");
    await page.getByRole("button", { name: "Let it wait" }).click();
    await page.locator("dialog").waitFor({ state: "detached" });
    const { edges } = await board.graph();
    expect(edges).toHaveLength(4);
    expectNoFaults(page);
  });

  it("around a task is what lies around it, and stands in the address", async () => {
    const { page } = await openGraph("around", "?around=n4&depth=1");
    await soon(() => page.locator(".graph-node").count()).toBe(2);
    await page.getByLabel("Show", { exact: true }).selectOption("all");
    await soon(() => page.locator(".graph-node").count()).toBe(5);
    expect(page.url()).toMatch(/\/graph\?show=all$/);
  });

  it("is a nested list as well, folded and walked by keys", async () => {
    const { page } = await openGraph("list", "?as=list");
    const rows = () => page.locator(".graph-item .number").allTextContents();
    expect(await rows()).toEqual(["n1", "n2", "n3", "n4", "n5"]);
    await page.locator(".graph-item a").first().focus();
    await page.keyboard.press("ArrowRight");
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    expect(await focused()).toContain("n2");
    await page.keyboard.press("ArrowLeft");
    expect(await rows()).toEqual(["n1", "n2", "n4", "n5"]);
    await page.keyboard.press("ArrowLeft");
    expect(await focused()).toContain("n1");
  });

  it.each(["light", "dark"] as const)("passes axe, drawn and listed, in %s", async (theme) => {
    const { page } = await openGraph(`axe-${theme}`, "", { theme, calm: true });
    expect(await axe(page)).toEqual([]);
    await node(page, 3).focus();
    await page.getByRole("button", { name: "List" }).click();
    await page.locator(".graph-item").first().waitFor();
    expect(await axe(page)).toEqual([]);
  });
});

describe("1,000 tasks with 1,500 edges", () => {
  it("are laid out and drawn within a second, while nothing holds the page up", async () => {
    const { board, token } = await makeBoard(stage, "large");
    const edges = new Set<string>();
    for (let at = 1; edges.size < 1_500; at = (at * 31 + 7) % 1_000)
      edges.add(`${Math.max(0, at - 1 - ((edges.size * 13) % 30))} ${at === 0 ? 999 : at}`);
    await board.createPlan({
      tasks: Array.from({ length: 1_000 }, (_, at) => ({
        ref: `${at}`,
        title: `Task ${at} of a large plan`,
        dependsOn: [...edges]
          .map((edge) => edge.split(" "))
          .flatMap(([from, to]) => (to === `${at}` ? [from as string] : [])),
      })),
    });
    const page = await signedIn(stage, token, "/b/large/runs");
    await page.addInitScript(`
      globalThis.longest = 0;
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest, duration);
      }).observe({ type: "longtask", buffered: true });
      new MutationObserver((_, watch) => {
        if (document.querySelector(".graph-node") === null) return;
        watch.disconnect();
        requestAnimationFrame(() => { globalThis.drawnAt = performance.now(); });
      }).observe(document, { childList: true, subtree: true });
    `);
    await page.goto(`${stage.server.url}/b/large/graph`);
    await page.locator(".graph-node").first().waitFor();
    const [drawnAt, readAt] = await page.evaluate<[number, number]>(
      "[globalThis.drawnAt, performance.getEntriesByType('resource').find(({ name }) => name.includes('/graph?')).responseEnd]",
    );
    expect(drawnAt - readAt).toBeLessThan(1_000 * SLOW);
    expect(await page.evaluate("globalThis.longest")).toBeLessThan(200 * SLOW);
    expect(await page.locator(".graph-size").textContent()).toBe("1,000 tasks, 1,500 edges");
    await page.getByRole("button", { name: "Fit" }).click();
    await page.getByRole("button", { name: "Draw 400 outlines in full" }).waitFor();
    expect(await page.locator(".graph-node").count()).toBeLessThanOrEqual(401);
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(4_500);
  }, 60_000);
});
