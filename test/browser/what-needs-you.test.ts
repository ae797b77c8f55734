/** What needs a person, what happened, and the palette that leads to both. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Scene, setScene } from "./scene.ts";
import { axe, expectNoFaults, openStage, type Stage, signedIn } from "./signed-in.ts";

let stage: Stage;
let scene: Scene;

beforeAll(async () => {
  stage = await openStage();
  scene = await setScene(stage.server.url, stage.server.operatorToken, "needs");
}, 180_000);
afterAll(() => stage?.close());

const open = (path: string, look: object = {}) => signedIn(stage, scene.leadToken, `/b/needs${path}`, look);

it.each(["light", "dark"] as const)(
  "nothing stands in anybody's way (%s)",
  async (theme) => {
    for (const [path, ready] of [
      ["/stuck", "Waits for what cannot finish"],
      ["/activity", "Show <script>"],
      ["/activity?show=privileges", "imported from"],
    ] as const) {
      const page = await open(path, { theme, calm: true });
      await page.getByText(ready).first().waitFor();
      expect(await axe(page)).toEqual([]);
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: "A task, a page or a command" }).waitFor();
      expect(await axe(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await page.getByRole("heading", { name: "Keys" }).waitFor();
      expect(await axe(page)).toEqual([]);
      expectNoFaults(page);
      await page.context().close();
    }
  },
  120_000,
);

it("what is stuck goes from the page once it is resolved there, and the focus is not lost with it", async () => {
  const page = await open("/stuck");
  const dead = page.getByRole("button", { name: /^Unlink n\d+ from n\d+/ });
  await dead.click();
  await dead.waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Back to To do/ }).click();
  await page.getByRole("heading", { name: "Held without a lease" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Try again/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("What the next one has to know").fill("Reset the fixtures first.");
  await dialog.getByRole("button", { name: "Back to To do" }).click();
  await page.getByRole("heading", { name: "Out of attempts" }).waitFor({ state: "detached" });
  expect(await page.evaluate("document.activeElement.id")).toBe("main");
  const { tasks } = await scene.lead.tasks.list({ q: "flaky import" });
  expect(tasks[0]).toMatchObject({ status: "todo", attemptStreak: 0 });
  const { comments } = await scene.lead.tasks.comments(tasks[0]?.id ?? "");
  expect(comments.at(-1)?.body).toBe("Reset the fixtures first.");
  expectNoFaults(page);
}, 90_000);

it("what somebody else resolves goes from the page by itself", async () => {
  const page = await open("/stuck");
  await page.getByRole("heading", { name: "Nobody can claim it" }).waitFor();
  const { stuck } = await scene.lead.stuck({ reason: "unclaimable" });
  await scene.lead.tasks.edit(stuck[0]?.task.id ?? "", { requiredCapabilities: [] });
  await page.getByRole("heading", { name: "Nobody can claim it" }).waitFor({ state: "detached" });
  expectNoFaults(page);
}, 60_000);

it("what is new in the activity waits behind a button, and what is read does not move", async () => {
  const page = await open("/activity");
  await page.locator(".activity-row").first().waitFor();
  await page.getByText("Live", { exact: true }).waitFor();
  const first = page.locator(".activity-row").first();
  const [text, box] = [await first.textContent(), await first.boundingBox()];
  const { task } = await scene.lead.tasks.create({ title: "Something new" });
  await scene.lead.tasks.comment(task.id, "<b>bold</b>");
  const pill = page.getByRole("button", { name: "2 new" });
  await pill.waitFor();
  expect([await first.textContent(), await first.boundingBox()]).toEqual([text, box]);
  await pill.click();
  await page.getByText("<b>bold</b>").waitFor();
  await page.locator(".activity-row:first-child").getByText("Something new").waitFor();
  expectNoFaults(page);
}, 60_000);

it("the activity is filtered by actor and kind in its address, and read on to the very first event", async () => {
  const page = await open("/activity?actor=codex-mill&kind=task_claimed");
  await page.locator(".activity-row").first().waitFor();
  const rows = await page.locator(".activity-row").allTextContents();
  expect(rows.every((row) => row.includes("codex-mill") && row.includes("claimed"))).toBe(true);
  await page.getByRole("button", { name: "Show all" }).click();
  await expect.poll(() => new URL(page.url()).search).toBe("");
  const all = (await scene.lead.events({ order: "desc", limit: 200 })).events.length;
  expect(all).toBeGreaterThan(50);
  await expect
    .poll(
      async () => {
        await page.locator(".stage").evaluate((stage) => stage.scrollTo(0, stage.scrollHeight));
        return page.locator(".activity-row").count();
      },
      { timeout: 20_000 },
    )
    .toBe(all);
  expectNoFaults(page);
}, 60_000);

it("the palette goes to a task by its number or its words, moves the task one is at, and sets a filter", async () => {
  const page = await open("/stuck");
  await page.getByRole("heading", { name: "Stuck" }).waitFor();
  const { task } = await scene.lead.tasks.create({ title: "Zebra crossing" });
  const ask = async (words: string, option: string | RegExp) => {
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "A task, a page or a command" }).fill(words);
    const found = page.getByRole("option", { name: option });
    await found.waitFor();
    await expect.poll(() => found.getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
  };
  await ask("crossing zebra", "Zebra crossing");
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/b/needs/t/n${task.number}`);
  await ask("agents", "Agents");
  await expect.poll(() => new URL(page.url()).pathname).toBe("/b/needs/agents");
  await ask(`n${task.number}`, "Zebra crossing");
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/b/needs/t/n${task.number}`);
  await ask("ready", "Ready tasks");
  await expect.poll(() => page.url()).toContain("/b/needs?ready=");
  // A task that came before this page did is known to it, card and all.
  await page.goto(`${stage.server.url}/b/needs/t/n${task.number}`);
  await page
    .getByText("Live", { exact: true })
    .first()
    .waitFor()
    .catch(() => {});
  await ask("to blocked", `Move n${task.number} to Blocked`);
  await expect.poll(async () => (await scene.lead.tasks.get(task.id)).task.status).toBe("blocked");
  expectNoFaults(page);
}, 90_000);
