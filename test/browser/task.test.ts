/** A task as people look at it and work on it, on its own page and over its board. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Board, Edgeboard } from "../../src/client/index.ts";
import { axe, expectNoFaults, makeBoard, openStage, type Stage, signedIn } from "./signed-in.ts";

let stage: Stage;
let lead: Board;
let token: string;
let worker: Board;

beforeAll(async () => {
  stage = await openStage();
  ({ board: lead, token } = await makeBoard(stage, "tasks", {
    leaseTtlMs: 600_000,
    requireVerification: true,
  }));
  const minted = await lead.mintToken({ agentId: "anna", role: "worker", runtime: "codex" });
  worker = new Edgeboard({ url: stage.server.url, token: minted.token }).board("tasks");
}, 120_000);
afterAll(() => stage?.close(), 60_000);

const make = async (title: string, more: object = {}) => (await lead.tasks.create({ title, ...more })).task;

async function openTask(number: number, look = {}): Promise<Page> {
  const page = await signedIn(stage, token, `/b/tasks/t/n${number}`, look);
  await page.getByRole("heading", { name: "History" }).waitFor();
  await page.locator('.connection[data-state="live"]').waitFor();
  return page;
}

const history = (page: Page) => page.locator(".task-history > li");

/** Closes the page's whole session; a page that is done must have done nothing wrong. */
async function done(page: Page): Promise<void> {
  expectNoFaults(page);
  await page.context().close();
}

it("shows what agents wrote as text, whatever it looks like, and links only http", async () => {
  const evil = `<img src=x onerror="document.title='broken'"> <script>document.title='broken'</script>`;
  const task = await make(evil, {
    description: `${evil} javascript:alert(1) https://a.example/x. ${"long ".repeat(3_900)}`,
  });
  await worker.tasks.comment(task.id, `${evil} [x](javascript:alert(1)) http://b.example`);
  const page = await openTask(task.number);
  expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(evil);
  const links = await page
    .locator(".long-text a")
    .evaluateAll((all) =>
      all.map((a) => [a.getAttribute("href"), a.getAttribute("rel"), a.getAttribute("target")]),
    );
  expect(links.map(([href]) => href).sort()).toEqual([
    "http://b.example",
    "http://b.example",
    "https://a.example/x",
  ]);
  expect(new Set(links.map(([, rel, target]) => `${rel} ${target}`))).toEqual(
    new Set(["noopener noreferrer _blank"]),
  );
  expect(await page.locator(".task-view img, .task-view script").count()).toBe(0);
  expect(await page.title()).not.toBe("broken");
  // It is long: its beginning is shown until one asks for all of it.
  const short = await page.locator(".task-view").evaluate((view) => view.scrollHeight);
  await page
    .getByRole("button", { name: /Show all 19,\d{3} characters/ })
    .first()
    .click();
  expect(await page.locator(".task-view").evaluate((view) => view.scrollHeight)).toBeGreaterThan(short);
  await done(page);
}, 60_000);

it("offers legal moves only; the gate is passed by a typed reason, which stands in the history", async () => {
  const task = await make("Gated");
  const { lease } = await worker.claim(task.id);
  await lease.complete({ outcome: "succeeded", status: "in_review" });
  const page = await openTask(task.number);
  await page.getByRole("button", { name: "In review: move it" }).click();
  expect(await page.getByRole("menuitem").allTextContents()).toEqual([
    "Done",
    "In progress",
    "Blocked",
    "Cancelled",
  ]);
  await page.getByRole("menuitem", { name: "Done" }).click();
  const ask = page.getByRole("dialog");
  await ask.waitFor();
  const override = ask.getByRole("button", { name: "Override" });
  expect(await override.isDisabled()).toBe(true);
  await ask.getByRole("textbox").fill("I ran it myself.");
  await override.click();
  await page.locator('.task-head > .status[data-status="done"]').waitFor();
  await history(page)
    .filter({ hasText: "overriding what held it back" })
    .getByText("I ran it myself.")
    .waitFor();
  expect(await page.getByRole("button", { name: /move it/ }).count()).toBe(0);
  expect((await lead.tasks.get(task.id)).task.status).toBe("done");
  await done(page);
}, 60_000);

it("shows the holder with its time, asks it to stop, and takes the task back after a question", async () => {
  const task = await make("Held");
  const { lease } = await worker.claim(task.id);
  const page = await openTask(task.number);
  const holder = page.locator(".task-holder");
  expect(await holder.textContent()).toMatch(/anna.*attempt 1.*codex.*lease runs out in \d:\d\d/);
  await lease.heartbeat({ progress: "half of it" });
  await holder.getByRole("button", { name: "Ask to stop" }).click();
  await page.getByRole("dialog").getByRole("textbox").fill("The plan has changed.");
  await page.getByRole("dialog").getByRole("button", { name: "Ask to stop" }).click();
  await history(page).filter({ hasText: "asked its holder to stop" }).waitFor();
  expect((await lease.heartbeat({})).directives).toEqual([
    { kind: "cancel", reason: "The plan has changed." },
  ]);
  await holder.getByText("half of it").waitFor();
  await holder.getByRole("button", { name: "Take it back" }).click();
  await page
    .getByRole("dialog")
    .getByRole("button", { name: /Move to/ })
    .click();
  await holder.waitFor({ state: "detached" });
  await expect(lease.heartbeat({})).rejects.toMatchObject({ problem: { reason: "displaced" } });
  await done(page);
}, 60_000);

it("two people write one title: the second sees both texts, and nothing is lost", async () => {
  const task = await make("As it was", { description: "Kept" });
  const page = await openTask(task.number);
  await page.getByRole("button", { name: "Edit title and description" }).click();
  const title = page.getByLabel("Title", { exact: true });
  expect(await title.evaluate((field) => field === document.activeElement)).toBe(true);
  await title.fill("Mine");
  await lead.tasks.edit(task.id, { title: "Theirs", priority: 7 });
  await page.getByText("Somebody has changed this meanwhile (title)").waitFor();
  expect(await title.inputValue()).toBe("Mine");
  await page.getByRole("button", { name: "Save" }).click();
  const both = page.getByRole("region", { name: "Both texts" });
  expect(await both.locator(".task-sides").textContent()).toContain("Title, theirsTheirsTitle, yoursMine");
  expect((await lead.tasks.get(task.id)).task.title).toBe("Theirs");
  await both.getByRole("button", { name: "Keep editing" }).click();
  expect(await title.inputValue()).toBe("Mine");
  await title.fill("Mine and theirs");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { level: 1, name: "Mine and theirs" }).waitFor();
  const { task: after } = await lead.tasks.get(task.id);
  expect(after).toMatchObject({ title: "Mine and theirs", description: "Kept", priority: 7 });
  await done(page);
}, 60_000);

it("writes a field of several words as it is typed, and a subtask below it", async () => {
  const task = await make("Has a team");
  const page = await openTask(task.number);
  await page.getByRole("button", { name: "Edit the fields" }).click();
  await page.getByLabel("Team").pressSequentially("web platform");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("web platform").first().waitFor();
  expect((await lead.tasks.get(task.id)).task.teamId).toBe("web platform");
  await page.getByRole("button", { name: "Create" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Title").fill("A part of it");
  await dialog.getByRole("button", { name: "Create" }).click();
  await page.getByRole("link", { name: /A part of it/ }).waitFor();
  const { tasks } = await lead.tasks.list({ parentTaskId: task.id });
  expect(tasks.map(({ title }) => title)).toEqual(["A part of it"]);
  await done(page);
});

it("names the circle that an edge would close, adds one that closes none, and takes it away", async () => {
  const first = await make("First");
  const second = await make("Second", { dependsOn: [first.id] });
  const page = await openTask(first.number);
  const add = async (name: string) => {
    await page.getByRole("button", { name: "Add a task it waits for" }).click();
    await page.getByLabel("It waits for").fill(name);
    await page.locator(".task-edge-form").getByRole("button", { name: "Add" }).click();
  };
  await add(`n${second.number}`);
  const told = `n${first.number}First → n${second.number}Second → n${first.number}First`;
  await page.locator(".task-cycle").getByText("would close a circle").waitFor();
  await expect.poll(() => page.locator(".task-cycle p").last().textContent()).toBe(told);
  await page.locator(".task-edge-form").getByRole("button", { name: "Cancel" }).click();
  const other = await make("Other");
  await add(`n${other.number}`);
  const remove = page.getByRole("button", { name: `Remove the edge to n${other.number}` });
  await remove.waitFor();
  await page.getByRole("heading", { name: "Why it is not ready" }).waitFor();
  await remove.click();
  await page.locator(".task-head").getByText("ready").waitFor();
  await done(page);
}, 60_000);

it("records a verdict on the attempt that was looked at, and says by whom", async () => {
  const task = await make("Judged");
  const { lease } = await worker.claim(task.id);
  await lease.complete({ outcome: "succeeded", status: "in_review" });
  const page = await openTask(task.number);
  await page.getByRole("button", { name: "Record a verdict" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel(/^Done with debt/).check();
  expect(await dialog.getByRole("button", { name: "Record" }).isDisabled()).toBe(true);
  await dialog.getByLabel(/^What was run/).fill("npm test");
  await dialog.getByLabel(/^Notes/).fill("The names are poor.");
  await dialog.getByRole("button", { name: "Record" }).click();
  await page.locator(".task-verdict").getByText("Left to do: The names are poor.").waitFor();
  await page.locator(".task-verdict").getByText("by lead").waitFor();
  expect((await lead.tasks.verification(task.id)).verification).toMatchObject({
    status: "completed_with_debt",
  });
  await done(page);
}, 60_000);

it("says a comment, shows those of others as they come, and offers a viewer none of it", async () => {
  const task = await make("Talked about");
  const page = await openTask(task.number);
  await page.getByLabel("Say something").fill("First!");
  await page.getByLabel("Say something").press("Control+Enter");
  await page.locator(".task-comments").getByText("First!").waitFor();
  await worker.tasks.comment(task.id, "Second!");
  await page.locator(".task-comments").getByText("Second!").waitFor();
  const { token: looker } = await lead.mintToken({ agentId: "vera", role: "viewer" });
  const other = await signedIn(stage, looker, `/b/tasks/t/n${task.number}`);
  await other.getByRole("heading", { name: "History" }).waitFor();
  expect(await other.locator(".task-view .button").allTextContents()).toEqual([""]);
  expect(await other.locator(".task-view").getByRole("textbox").count()).toBe(0);
  await done(other);
  await done(page);
}, 60_000);

it("drops and restores", async () => {
  const task = await make("Dropped");
  const page = await openTask(task.number);
  const pick = async (name: RegExp) => {
    await page.getByRole("button", { name: "More to do with this task" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await pick(/^Drop it/);
  await page.getByRole("dialog").getByRole("button", { name: "Drop it" }).click();
  await page.locator(".task-head").getByText("dropped").waitFor();
  await pick(/^Restore it/);
  await page.locator(".task-head").getByText("ready").waitFor();
  await done(page);
}, 60_000);

it("opens over its board from a card, and gives the focus back when Escape closes it", async () => {
  const task = await make("Over the board");
  const page = await signedIn(stage, token, "/b/tasks");
  const card = page.locator(`[data-card="${task.id}"]`);
  await card.waitFor();
  await card.focus();
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog", { name: "Over the board" });
  await drawer.getByRole("heading", { level: 2, name: "Over the board" }).waitFor();
  expect(await drawer.evaluate((node) => node.contains(document.activeElement))).toBe(true);
  expect(await card.isVisible()).toBe(true);
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await drawer.waitFor({ state: "detached" });
  expect(new URL(page.url()).pathname).toBe("/b/tasks");
  expect(await card.evaluate((node) => node.contains(document.activeElement))).toBe(true);
  await done(page);
}, 60_000);

it.each(["light", "dark"] as const)(
  "axe finds nothing against it in %s, wide and narrow, reading and writing",
  async (theme) => {
    const blocker = await make("Blocker");
    const task = await make("Looked at", { dependsOn: [blocker.id], labels: ["a"], description: "Words" });
    for (const width of [1440, 390]) {
      const page = await openTask(task.number, { theme, width, calm: true });
      await page.getByRole("heading", { name: "Why it is not ready" }).waitFor();
      expect(await axe(page)).toEqual([]);
      await page.getByRole("button", { name: "Edit title and description" }).click();
      await page.getByRole("button", { name: "Edit the fields" }).click();
      await page.getByLabel(/^Not before/).waitFor();
      await page.getByRole("button", { name: /move it/ }).click();
      expect(await axe(page)).toEqual([]);
      expect(await page.evaluate(() => document.querySelector(".stage")?.scrollWidth)).toBeLessThanOrEqual(
        width,
      );
      await done(page);
    }
  },
  120_000,
);

it("reads one page of a long history, and an older one when it is asked for", async () => {
  const task = await make("Long lived");
  for (let n = 1; n <= 120; n++) await worker.tasks.comment(task.id, `Word ${n}`);
  const page = await signedIn(stage, token, "/icon.svg");
  let pages = 0;
  page.on("request", (request) => void (/\/events\?/.test(request.url()) && pages++));
  await page.goto(`${stage.server.url}/b/tasks/t/n${task.number}`);
  await history(page).first().getByText("Word 120").waitFor();
  expect([await history(page).count(), pages]).toEqual([50, 1]);
  await page.getByRole("button", { name: "Older" }).click();
  await expect.poll(() => history(page).count()).toBe(100);
  await worker.tasks.comment(task.id, "Word 121");
  await history(page).first().getByText("Word 121").waitFor();
  await page.getByRole("button", { name: "Older" }).click();
  await expect.poll(() => history(page).count()).toBe(122);
  expect(await page.getByRole("button", { name: "Older" }).count()).toBe(0);
  await done(page);
}, 120_000);
