/** The timeline of runs. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Board } from "../../src/client/index.ts";
import { exportOf, runLine, taskLine } from "../support/export-lines.ts";
import { axe, expectNoFaults, makeBoard, openStage, SLOW, type Stage, signedIn } from "./signed-in.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterEach(async () => {
  for (const context of stage.browser.contexts()) await context.close();
});
afterAll(() => stage?.close());

const soon = <T>(read: () => Promise<T>) => expect.poll(read, { timeout: 20_000 });

const MINUTE = 60_000;
const STATUSES = ["succeeded", "failed", "timed_out", "cancelled", "released"] as const;
const AGENTS = 12;

/** Runs one after the other on many tasks, up to an hour ago, by a dozen agents at a time. */
function history(runs: number, tasks: number): string {
  const end = Date.now() - 60 * MINUTE;
  const epochs = new Map<string, number>();
  const lines = Array.from({ length: runs }, (_, index) => {
    const taskId = `task-${1 + (index % tasks)}`;
    const epoch = (epochs.get(taskId) ?? 0) + 1;
    epochs.set(taskId, epoch);
    const startedAt = end - (runs - index) * MINUTE;
    const endedAt = startedAt + 4 * MINUTE + (index % 7) * MINUTE;
    return runLine(taskId, epoch, {
      id: `run-${String(index).padStart(6, "0")}`,
      agentId: `agent-${String(index % AGENTS).padStart(2, "0")}`,
      status: STATUSES[index % 11 < 7 ? 0 : (index % 11) - 6] ?? "succeeded",
      startedAt,
      lastBeatAt: endedAt - 1_000,
      endedAt,
      costUsd: 0.25,
      inputTokens: 12_000,
      outputTokens: 900,
      summary: `Summary of run ${index}`,
    });
  });
  const tasksOf = Array.from({ length: tasks }, (_, index) =>
    taskLine(index + 1, { epoch: epochs.get(`task-${index + 1}`) ?? 0 }),
  );
  return exportOf(...tasksOf, ...lines);
}

async function bringIn(board: Board, source: string): Promise<void> {
  const { id } = await board.beginImport({ format: "edgeboard" });
  const size = 4_000_000;
  for (let n = 0; n * size < source.length; n++)
    await board.putImportPart(id, n + 1, source.slice(n * size, (n + 1) * size));
  await board.commitImport(id);
}

describe("a small history", () => {
  it("has a row for each agent or task, and a panel with all about the chosen run", async () => {
    const { board, token } = await makeBoard(stage, "small");
    await bringIn(board, history(24, 6));
    const page = await signedIn(stage, token, "/b/small/runs");
    await soon(() => page.locator(".runs-row").count()).toBe(AGENTS);
    await page.keyboard.press("j");
    const panel = page.locator(".runs-panel");
    await soon(() => panel.textContent()).toContain("Summary of run 23");
    expect(await panel.textContent()).toContain("$0.25");
    await page.keyboard.press("j");
    await soon(() => panel.textContent()).toContain("Summary of run 22");
    await page.keyboard.press("k");
    await soon(() => panel.textContent()).toContain("Summary of run 23");
    expect(await page.locator('.runs-bar[aria-pressed="true"]').getAttribute("data-id")).toBe("run-000023");
    await page.getByRole("button", { name: "By task" }).click();
    await soon(() => page.locator('.runs-row[data-first="true"]').count()).toBe(6);
    expect(page.url()).toMatch(/by=task/);
    await page.keyboard.press("p");
    await soon(() => page.locator("#said").textContent()).toContain("no task above");
    await page.locator("h1").click();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/t\/n6$/);
    expectNoFaults(page);
  });

  it("shows a run as it begins, growing by itself, and timed out right after its lease was swept", async () => {
    const settings = { leaseTtlMs: 6_000, beatEveryMs: 1_000, sweepEveryMs: 500 };
    const { board, token } = await makeBoard(stage, "lively");
    await bringIn(board, history(24, 6));
    // An empty board takes the settings of what is brought in.
    await board.change({ settings });
    const page = await signedIn(stage, token, "/b/lively/runs");
    await page.locator(".runs-row").first().waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
    await board.createPlan({ tasks: [{ ref: "x", title: "One more" }] });
    const { lease } = await board.claim("n7");
    const bar = page.locator(`.runs-bar[data-id="${lease.grant.executionId}"]`);
    await bar.waitFor();
    await page.getByLabel("Time that is shown").selectOption(String(15 * MINUTE));
    const keeping = setInterval(() => void lease.heartbeat().catch(() => {}), 1_000);
    await page.evaluate(`
      globalThis.touched = new Set();
      new MutationObserver((records) => {
        for (const { target } of records) globalThis.touched.add(target.dataset?.id ?? target.className);
      }).observe(document.querySelector(".runs-canvas"), { subtree: true, childList: true, attributes: true, characterData: true });
    `);
    const width = () => bar.evaluate((element) => Number.parseFloat(element.style.width));
    // The marks of the moment, and the run itself.
    const own = ["runs-now", "runs-beat", "runs-expiry", lease.grant.executionId];
    // Now and then the end of the timeline is moved on, and all of it is drawn; in between it grows alone.
    await soon(async () => {
      await page.evaluate("globalThis.touched.clear()");
      const before = await width();
      await soon(width).toBeGreaterThan(before);
      const touched = await page.evaluate<string[]>("[...globalThis.touched]");
      return touched.filter((name) => !own.includes(name));
    }).toEqual([]);
    clearInterval(keeping);

    let { seq } = await board.get();
    let swept = false;
    while (!swept) {
      const answer = await board.events({ after: seq, waitMs: 20_000 });
      seq = answer.events.at(-1)?.seq ?? seq;
      swept = answer.events.some(({ kind }) => kind === "task_released");
    }
    const since = performance.now();
    await page.locator(`.runs-bar[data-id="${lease.grant.executionId}"][data-run="timed_out"]`).waitFor();
    expect(performance.now() - since).toBeLessThan(1_000 * SLOW);
    expectNoFaults(page);
  });

  it.each(["light", "dark"] as const)(
    "passes axe, on the timeline and in the table, in %s",
    async (theme) => {
      const { board, token } = await makeBoard(stage, `axe-${theme}`);
      await bringIn(board, history(24, 6));
      const page = await signedIn(stage, token, `/b/axe-${theme}/runs`, { theme, calm: true });
      await page.locator(".runs-bar").first().waitFor();
      await page.keyboard.press("j");
      expect(await axe(page)).toEqual([]);
      await page.getByRole("button", { name: "Table" }).click();
      await soon(() => page.locator("tbody tr").count()).toBe(24);
      expect(await axe(page)).toEqual([]);
    },
  );
});

describe("10,000 runs", () => {
  it("are read as one scrolls back, and scrolled through with few elements and short frames", async () => {
    const { board, token } = await makeBoard(stage, "long");
    await bringIn(board, history(10_000, 400));
    const page = await signedIn(stage, token, "/b/long/runs");
    const frame = page.locator(".runs-scroll");
    await page.locator(".runs-bar").first().waitFor();
    const read = async () => Number((await frame.getAttribute("aria-label"))?.replaceAll(/\D/g, ""));
    expect(await read()).toBeLessThan(1_000);
    await page.evaluate(`(async () => {
      const frame = document.querySelector(".runs-scroll");
      while (!frame.ariaLabel.includes("10,000")) {
        frame.scrollLeft = 0;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    })()`);
    expect(await read()).toBe(10_000);
    const scroll = (by: number) =>
      page.evaluate<{ median: number; most: number }>(`(async () => {
        const frame = document.querySelector(".runs-scroll");
        const frames = [];
        let most = 0;
        let last = performance.now();
        for (let at = 0; at < 90; at++) {
          frame.scrollLeft += ${by};
          frame.scrollTop += ${by / 5};
          await new Promise(requestAnimationFrame);
          const now = performance.now();
          frames.push(now - last);
          last = now;
          if (at % 10 === 0) most = Math.max(most, document.querySelectorAll("*").length);
        }
        return { median: frames.sort((a, b) => a - b)[45], most };
      })()`);
    for (const by of ["By agent", "By task"]) {
      await page.getByRole("button", { name: by }).click();
      // What a frame takes on this machine, whoever else is at work on it, without any scrolling.
      const still = await scroll(0);
      const { median, most } = await scroll(60);
      expect(most).toBeLessThan(2_500);
      expect(median - Math.max(0, still.median - 1_000 / 60)).toBeLessThan(20 * SLOW);
    }
    await page.getByLabel("Time that is shown").selectOption("all");
    await soon(() => page.locator(".runs-many").count()).toBeGreaterThan(10);
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(2_500);
    expectNoFaults(page);
  }, 180_000);
});
