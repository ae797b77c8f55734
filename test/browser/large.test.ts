/** A board of ten thousand tasks, and a page that is cut off and comes back: it is fast, stays still, and ends right. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Board } from "../../src/client/index.ts";
import { TASK_STATUSES, type TaskStatus } from "../../src/rules/status.ts";
import { exportOf, taskLine } from "../support/export-lines.ts";
import { expectNoFaults, makeBoard, openStage, SLOW, type Stage, signedIn } from "./signed-in.ts";

const TASKS = 10_000;
let stage: Stage;
let board: Board;
let token: string;

beforeAll(async () => {
  stage = await openStage();
  ({ board, token } = await makeBoard(stage, "large"));
  const statuses = ["todo", "backlog", "blocked", "in_review"] as const;
  const lines = Array.from({ length: TASKS }, (_, index) =>
    taskLine(index + 1, { status: statuses[index % statuses.length] as "todo" }),
  );
  await board.import(exportOf(...lines), { format: "edgeboard" });
}, 180_000);
afterAll(() => stage?.close(), 60_000);

const live = (page: Page) => page.locator('.connection[data-state="live"]');

async function openBoard(): Promise<Page> {
  const page = await signedIn(stage, token, "/b/large");
  await live(page).waitFor();
  await page.locator("[data-card]").first().waitFor();
  return page;
}

/** What the page shows of a column from its top on, as far as it has drawn it. */
const drawn = (page: Page, status: TaskStatus) =>
  page.locator(`.column[data-status="${status}"] .card-number`).allTextContents();

async function expectSameAsBoard(page: Page): Promise<void> {
  const { counts, columns } = await board.snapshot({ limit: 50 });
  await page.waitForFunction(
    (counts) =>
      Object.entries(counts).every(
        ([status, number]) =>
          document
            .querySelector(`.column[data-status="${status}"] .column-count`)
            ?.textContent?.replace(/\D/g, "") === String(number),
      ),
    counts,
  );
  for (const status of TASK_STATUSES) {
    const shown = await drawn(page, status);
    const expected = columns[status].tasks.map(({ number }) => `n${number}`);
    expect([status, shown]).toEqual([status, expected.slice(0, shown.length)]);
  }
}

describe("ten thousand tasks", () => {
  it("are there at once: first cards, true counts, few nodes", async () => {
    const page = await openBoard();
    await page.reload();
    await page.locator("[data-card]").first().waitFor();
    const firstCards = await page.evaluate(() => performance.now());
    expect(firstCards).toBeLessThan(1_500 * SLOW);
    await live(page).waitFor();
    expect(await page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(2_500);
    await expectSameAsBoard(page);
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0;
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
          }).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(sum), 500);
        }),
    );
    expect(shift).toBeLessThanOrEqual(0.02);
    expectNoFaults(page);
  }, 120_000);

  it("stay where they are while fifty come in above, and a filter gives the place back", async () => {
    const page = await openBoard();
    const cards = page.locator('.column[data-status="todo"] .column-cards');
    // Down to row 300: page after page is read as one comes near.
    for (let row = 0; row <= 300; row += 20) {
      await page.waitForFunction(
        ([selector, top]) => {
          const box = document.querySelector(selector) as HTMLElement;
          box.scrollTo(0, top);
          return box.scrollTop === top;
        },
        ['.column[data-status="todo"] .column-cards', row * 100 + 37] as const,
      );
    }
    const first = () =>
      cards.evaluate((box) => {
        const edge = box.getBoundingClientRect().top;
        const rows = [...box.querySelectorAll<HTMLElement>(".card-row")].map((row) => ({
          id: row.querySelector<HTMLElement>("[data-card]")?.dataset["card"],
          top: row.getBoundingClientRect().top - edge,
        }));
        return rows.filter(({ top }) => top >= 0).sort((a, b) => a.top - b.top)[0];
      });
    await page.waitForFunction(() => {
      const box = document.querySelector('.column[data-status="todo"] .column-cards') as HTMLElement;
      const edge = box.getBoundingClientRect().top;
      return [...box.querySelectorAll(".card-row")].some(
        (row) => Math.abs(row.getBoundingClientRect().top - edge) < 100,
      );
    });
    const before = await first();
    await board.createPlan({
      tasks: Array.from({ length: 50 }, (_, index) => ({ ref: `r${index}`, title: `New ${index}` })),
    });
    await page.waitForFunction(
      () => document.querySelector('.column[data-status="todo"] .column-count')?.textContent === "2,550",
    );
    const after = await first();
    expect(after?.id).toBe(before?.id);
    expect(Math.abs((after?.top ?? 0) - (before?.top ?? 0))).toBeLessThanOrEqual(1);
    const top = await cards.evaluate((box) => box.scrollTop);
    await page.getByLabel("Search", { exact: true }).fill("New 7");
    await page.locator(".card-title", { hasText: "New 7" }).first().waitFor();
    await page.getByRole("button", { name: "Clear" }).click();
    await page.waitForFunction(
      () => document.querySelector('.column[data-status="todo"] .column-count')?.textContent === "2,550",
    );
    expect(await cards.evaluate((box) => box.scrollTop)).toBe(top);
  }, 120_000);
});

describe("a page that was cut off", () => {
  /** The network between the page and the board, which can be taken away. */
  async function withNetwork(page: Page) {
    let up = true;
    const sockets = new Set<{ close: () => unknown }>();
    await page.routeWebSocket(/\/live/, (socket) => {
      if (!up) return void socket.close({ code: 1011 });
      sockets.add(socket);
      socket.connectToServer();
    });
    await page.route("**/events?**", (route) => (up ? route.continue() : route.abort()));
    return {
      cut: async () => {
        up = false;
        for (const socket of sockets) await socket.close();
        sockets.clear();
      },
      restore: () => {
        up = true;
      },
    };
  }

  async function opened() {
    const page = await signedIn(stage, token, "/icon.svg");
    const network = await withNetwork(page);
    await page.goto(`${stage.server.url}/b/large`);
    await live(page).waitFor();
    // Each state of the badge from now on.
    await page.evaluate(() => {
      const states: string[] = [];
      (globalThis as unknown as { states: string[] }).states = states;
      const badge = document.querySelector(".connection") as HTMLElement;
      const look = () => {
        const now = badge.dataset["state"] ?? "";
        if (states.at(-1) !== now) states.push(now);
      };
      look();
      new MutationObserver(look).observe(badge, { attributes: true });
    });
    return { page, network };
  }

  const changes = async (count: number) => {
    for (let index = 0; index < count; index++) {
      const { task } = await board.tasks.create({ title: `Changed ${index}` });
      if (index % 3 === 0) await board.tasks.edit(task.id, { status: "backlog" });
    }
  };

  it("shows the same as the board after thirty changes, and the badge said so", async () => {
    const { page, network } = await opened();
    await network.cut();
    await page.locator('.connection[data-state="offline"]').waitFor();
    await changes(20);
    network.restore();
    await live(page).waitFor();
    await expectSameAsBoard(page);
    const states = (await page.evaluate("states")) as string[];
    expect(states[0]).toBe("live");
    expect(states).toContain("offline");
    expect(states.at(-1)).toBe("live");
  }, 120_000);

  it("reads the board anew where the log no longer reaches back, and says that", async () => {
    await board.change({ settings: { eventRetention: 1_000 } });
    const { page, network } = await opened();
    await network.cut();
    await page.locator('.connection[data-state="offline"]').waitFor();
    for (let round = 0; round < 2; round++)
      await board.createPlan({
        tasks: Array.from({ length: 700 }, (_, index) => ({
          ref: `r${index}`,
          title: `Gap ${round} ${index}`,
        })),
      });
    // The alarm trims the log in its own time.
    await expect
      .poll(async () => (await board.events({ after: 0, limit: 1 }).catch(() => null)) === null, {
        timeout: 60_000,
      })
      .toBe(true);
    network.restore();
    await page.getByText("read anew after a gap").waitFor();
    await expectSameAsBoard(page);
  }, 180_000);
});
