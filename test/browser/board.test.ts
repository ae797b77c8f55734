/** The board as people use it: by pointer, by keyboard, and while others change it. */
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Board, Edgeboard } from "../../src/client/index.ts";
import { axe, expectNoFaults, makeBoard, openStage, SLOW, type Stage, signedIn } from "./signed-in.ts";

let stage: Stage;
let boards = 0;

beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterAll(() => stage?.close(), 60_000);

async function freshBoard(titles: string[], settings: object = {}) {
  const made = await makeBoard(stage, `board-${++boards}`, settings);
  const ids: string[] = [];
  for (const title of titles) ids.push((await made.board.tasks.create({ title })).task.id);
  return { ...made, ids, path: `/b/board-${boards}` };
}

const card = (page: Page, id: string) => page.locator(`[data-card="${id}"]`);
const column = (page: Page, status: string) => page.locator(`.column[data-status="${status}"]`);
const cardIn = (page: Page, status: string, id: string) =>
  column(page, status).locator(`[data-card="${id}"]`);

/** As a hand does it: down, over there in steps, and up. */
async function drag(page: Page, from: Locator, to: Locator, drop = true): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (start === null || end === null) throw new Error("not drawn");
  await page.mouse.move(start.x + 40, start.y + 30);
  await page.mouse.down();
  await page.mouse.move(end.x + 60, end.y + 120, { steps: 8 });
  if (drop) await page.mouse.up();
}

async function openBoard(token: string, path: string): Promise<Page> {
  const page = await signedIn(stage, token, path);
  await page.locator('.connection[data-state="live"]').waitFor();
  return page;
}

/** Counts what the page sends that changes something. */
function countWrites(page: Page): { sent: string[] } {
  const counted = { sent: [] as string[] };
  page.on("request", (request) => {
    if (!["GET", "HEAD"].includes(request.method()))
      counted.sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return counted;
}

async function worker(board: Board, agentId = "worker"): Promise<Board> {
  const { token } = await board.mintToken({ agentId, role: "worker" });
  return new Edgeboard({ url: stage.server.url, token }).board(await board.id());
}

describe("dragging", () => {
  it("puts a card into a legal column at once and for good, by one write", async () => {
    const { token, path, ids } = await freshBoard(["Drag me", "Stay"]);
    const page = await openBoard(token, path);
    const id = ids[0] as string;
    const writes = countWrites(page);
    // Everywhere the card is seen from now on, change by change.
    await page.evaluate((id) => {
      const seen: (string | null)[] = [];
      (globalThis as unknown as { seen: typeof seen }).seen = seen;
      const look = () => {
        const now =
          document.querySelector(`[data-card="${id}"]`)?.closest<HTMLElement>(".column")?.dataset["status"] ??
          null;
        if (now !== null && seen.at(-1) !== now) seen.push(now);
      };
      look();
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
    }, id);
    await drag(page, card(page, id), column(page, "blocked"));
    await page.getByRole("dialog").getByLabel("What stands in its way").fill("waiting for a key");
    await page.getByRole("button", { name: "Block it" }).click();
    await cardIn(page, "blocked", id).waitFor();
    await page.waitForFunction(
      (id) => document.querySelector(`[data-card="${id}"]:not([data-moving])`) !== null,
      id,
    );
    expect(await page.evaluate("seen")).toEqual(["todo", "blocked"]);
    expect(writes.sent).toEqual([`PATCH /api/v1/boards/board-${boards}/tasks/${id}`]);
    expectNoFaults(page);
  }, 60_000);

  it("is refused by a column the task may not go to: nothing lights up, nothing is sent", async () => {
    const { token, path, ids } = await freshBoard(["Not done yet"]);
    const page = await openBoard(token, path);
    const writes = countWrites(page);
    await drag(page, card(page, ids[0] as string), column(page, "in_review"), false);
    expect(await column(page, "in_progress").getAttribute("data-legal")).toBe("true");
    expect(await column(page, "in_review").getAttribute("data-legal")).toBeNull();
    expect(await column(page, "in_review").getAttribute("data-over")).toBeNull();
    await page.mouse.up();
    await cardIn(page, "todo", ids[0] as string).waitFor();
    expect(writes.sent).toEqual([]);
  }, 60_000);

  it("goes on while others change other tasks, and says so when they change this one", async () => {
    const { token, path, ids, board } = await freshBoard(["Mine", "Other"]);
    const page = await openBoard(token, path);
    const [mine, other] = ids as [string, string];
    await drag(page, card(page, mine), column(page, "backlog"), false);
    await board.tasks.edit(other, { status: "cancelled" });
    await page.waitForFunction(
      (id) => document.querySelector(`.column[data-status="todo"] [data-card="${id}"]`) === null,
      other,
    );
    expect(await column(page, "backlog").getAttribute("data-legal")).toBe("true");
    await board.tasks.edit(mine, { status: "in_progress" });
    await page.getByText("was moved by somebody else").first().waitFor();
    await page.mouse.up();
    await cardIn(page, "in_progress", mine).waitFor();
    expect((await board.tasks.get(mine)).task.status).toBe("in_progress");
  }, 60_000);

  it("brings back the one card that the board refuses, with its reason; another move stands", async () => {
    const { token, path, ids } = await freshBoard(["Refused", "Fine"]);
    const page = await openBoard(token, path);
    const [refused, fine] = ids as [string, string];
    await page.route(`**/tasks/${refused}`, (route) =>
      route.request().method() === "PATCH"
        ? route.fulfill({
            status: 409,
            contentType: "application/problem+json",
            body: JSON.stringify({
              type: "x",
              title: "x",
              status: 409,
              code: "illegal_transition",
              detail: "Not from there.",
              retryable: false,
              requestId: "r",
              legalTargets: [],
            }),
          })
        : route.continue(),
    );
    await drag(page, card(page, fine), column(page, "backlog"));
    await cardIn(page, "backlog", fine).waitFor();
    await drag(page, card(page, refused), column(page, "backlog"));
    await page.getByText("Not from there.").first().waitFor();
    await cardIn(page, "todo", refused).waitFor();
    await cardIn(page, "backlog", fine).waitFor();
  }, 60_000);
});

it("an agent's claim over MCP shows on every page that is open, and no other card is drawn anew", async () => {
  const { token, path, ids, board } = await freshBoard(["One", "Two", "Three"]);
  const pages = await Promise.all([openBoard(token, path), openBoard(token, path)]);
  const [first, second] = ids as [string, string];
  for (const page of pages)
    await page.evaluate(
      ([first, second]) => {
        const marks = globalThis as unknown as { kept: Element | null; shownAt: number };
        marks.kept = document.querySelector(`[data-card="${second}"]`);
        const look = () => {
          const there = document.querySelector(`.column[data-status="in_progress"] [data-card="${first}"]`);
          if (there !== null) marks.shownAt ??= Date.now();
        };
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true });
      },
      [first, second] as const,
    );
  const { token: agentToken } = await board.mintToken({ agentId: "codex-mill", role: "worker" });
  const calledAt = Date.now();
  const answer = await fetch(`${stage.server.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${agentToken}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "claim_task", arguments: { task_id: first } },
    }),
  });
  expect(await answer.text()).toContain('"claimed":true');
  for (const page of pages) {
    await cardIn(page, "in_progress", first).waitFor();
    expect(await card(page, first).textContent()).toContain("codex-mill");
    const told = await page.evaluate((second) => {
      const marks = globalThis as unknown as { kept: Element | null; shownAt: number };
      return { same: marks.kept === document.querySelector(`[data-card="${second}"]`), at: marks.shownAt };
    }, second);
    expect(told.same).toBe(true);
    expect(told.at - calledAt).toBeLessThan(500 * SLOW);
  }
}, 60_000);

it("a beat lengthens the countdown of a card, although it is no change", async () => {
  const { token, path, ids, board } = await freshBoard(["Held"], { leaseTtlMs: 20_000, beatEveryMs: 1_000 });
  const page = await openBoard(token, path);
  const { lease } = await (await worker(board)).claim(ids[0] as string);
  const clock = cardIn(page, "in_progress", ids[0] as string)
    .locator(".tag")
    .first();
  await clock.getByText(/0:1[0-7]/).waitFor();
  await lease.heartbeat();
  await clock.getByText(/0:(20|19)/).waitFor();
}, 60_000);

it("what was waited for frees what waited, live", async () => {
  const { token, path, ids, board } = await freshBoard(["Blocker", "Waits"]);
  const [blocker, waits] = ids as [string, string];
  await board.tasks.link(waits, { dependsOnTaskId: blocker });
  const page = await openBoard(token, path);
  await card(page, waits).getByText("waits for 1").waitFor();
  const { lease } = await (await worker(board)).claim(blocker);
  await lease.complete({ outcome: "succeeded", status: "done" });
  await card(page, waits).getByText("ready").waitFor();
}, 60_000);

describe("the keyboard", () => {
  it("walks the cards, opens one, moves one to a legal column, and keeps the focus on it", async () => {
    const { token, path, ids } = await freshBoard(["First", "Second"]);
    const page = await openBoard(token, path);
    const [first, second] = ids as [string, string];
    await card(page, second).focus();
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction((id) => (document.activeElement as HTMLElement).dataset["card"] === id, first);
    await page.keyboard.press("m");
    const menu = page.getByRole("dialog");
    await menu.waitFor();
    expect(await menu.getByRole("button").allTextContents()).toEqual([
      "In progress",
      "Blocked",
      "Backlog",
      "Cancelled",
    ]);
    await menu.getByRole("button", { name: "In progress" }).press("Enter");
    await cardIn(page, "in_progress", first).waitFor();
    await page.waitForFunction(
      (id) => (document.activeElement as HTMLElement | null)?.dataset?.["card"] === id,
      first,
    );
    await page.waitForFunction(() =>
      document.getElementById("said")?.textContent?.includes("is now in progress"),
    );
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/t\/n1/);
  }, 60_000);

  it("reaches each column by one stop of Tab", async () => {
    const { token, path } = await freshBoard(["a", "b", "c", "d"]);
    const page = await openBoard(token, path);
    expect(await page.locator('.column[data-status="todo"] [data-card][tabindex="0"]').count()).toBe(1);
  }, 60_000);
});

describe("what is looked at", () => {
  it("stands in the address, and a link to it shows the same", async () => {
    const { token, path, board } = await freshBoard(["Alpha one", "Beta two"]);
    await board.tasks.create({ title: "Gamma", labels: ["db"] });
    const page = await openBoard(token, path);
    await page.getByLabel("Search", { exact: true }).fill("alpha");
    await page.waitForURL(/\?q=alpha/);
    await page.waitForFunction(() => document.querySelectorAll("[data-card]").length === 1);
    const again = await openBoard(token, `${path}?label=db`);
    await again.waitForFunction(() => document.querySelectorAll("[data-card]").length === 1);
    expect(await again.locator(".card-title").textContent()).toBe("Gamma");
    // What comes to match is shown, what ceases to is not.
    const made = await board.tasks.create({ title: "Delta", labels: ["db"] });
    await card(again, made.task.id).waitFor();
    await board.tasks.edit(made.task.id, { labels: [] });
    await card(again, made.task.id).waitFor({ state: "detached" });
  }, 60_000);

  it("on a board without a single task is how one comes there", async () => {
    const { token, path } = await freshBoard([]);
    const page = await openBoard(token, path);
    await page.getByText("Nothing is on this board yet").waitFor();
    expect(await page.locator(".column").count()).toBe(0);
    await page.getByRole("button", { name: "New task" }).click();
    await page.getByLabel("Title").fill("The first");
    await page.getByRole("button", { name: "Create" }).click();
    await page.locator(".card-title", { hasText: "The first" }).waitFor();
  }, 60_000);
});

it("text of agents is text: markup, right-to-left marks and very long words break nothing", async () => {
  const { token, path, board } = await freshBoard([]);
  await board.tasks.create({ title: "<img src=x onerror=window.hit=1><script>window.hit=1</script>" });
  await board.tasks.create({ title: `\u202E${"reverse ".repeat(40)}` });
  await board.tasks.create({ title: "W".repeat(500), description: "x".repeat(20_000) });
  const page = await openBoard(token, path);
  await page.getByText("<img src=x").first().waitFor();
  expect(await page.evaluate("window.hit")).toBeUndefined();
  const boxes = await page
    .locator(".card-row")
    .evaluateAll((rows) =>
      rows.map((row) => [row.scrollWidth <= row.clientWidth + 1, row.getBoundingClientRect().height]),
    );
  expect(boxes).toEqual(boxes.map(() => [true, 92]));
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}, 60_000);

it("a viewer is offered nothing that it may not do", async () => {
  const { board, path, ids } = await freshBoard(["Look at me"]);
  const { token } = await board.mintToken({ agentId: "eyes", role: "viewer" });
  const page = await openBoard(token, path);
  await card(page, ids[0] as string).waitFor();
  expect(await page.getByRole("button", { name: /New task|Pause/ }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "Connect" }).count()).toBe(0);
  await card(page, ids[0] as string).focus();
  await page.keyboard.press("m");
  await page.getByText("nowhere you may move it").waitFor();
}, 60_000);

it("nothing moves where somebody asked for that, and at twice the size nothing is lost", async () => {
  const { token, path, ids } = await freshBoard(["Calm"]);
  const calm = await signedIn(stage, token, path, { calm: true });
  await card(calm, ids[0] as string).waitFor();
  const moving = await calm.evaluate(
    () =>
      [...document.querySelectorAll("*")].filter((element) => {
        const { transitionDuration, animationName } = getComputedStyle(element);
        return transitionDuration !== "0s" || animationName !== "none";
      }).length,
  );
  expect(moving).toBe(0);
  const large = await signedIn(stage, token, path, { width: 720, height: 450 });
  await card(large, ids[0] as string).waitFor();
  expect(await large.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  await large.getByRole("button", { name: "New task" }).click();
  await large.getByRole("button", { name: "Create" }).waitFor();
}, 60_000);

describe.each(["light", "dark"] as const)("in %s", (theme) => {
  it.each([1440, 390])(
    "nothing is found against the board at %i px",
    async (width) => {
      const { token, path, board, ids } = await freshBoard(["Ready", "Held", "Waits"]);
      await board.tasks.link(ids[2] as string, { dependsOnTaskId: ids[0] as string });
      await (await worker(board)).claim(ids[1] as string);
      const page = await signedIn(stage, token, path, { theme, width });
      await page.locator("[data-card]").first().waitFor();
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
      expectNoFaults(page);
    },
    60_000,
  );
});
