/** The pages about the team: who works here, how somebody is brought here, and how its work is ended. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Scene, setScene } from "./scene.ts";
import { axe, expectNoFaults, openStage, type Stage, signedIn } from "./signed-in.ts";

let stage: Stage;
let scene: Scene;

beforeAll(async () => {
  stage = await openStage();
  scene = await setScene(stage.server.url, stage.server.operatorToken, "team");
}, 180_000);
afterAll(() => stage?.close());

const open = (path: string, look: object = {}) => signedIn(stage, scene.leadToken, `/b/team${path}`, look);
const agent = (page: Page, id: string) => page.locator(`[data-agent="${id}"]`);

it("a stop that is asked for is shown until the holder gives up, and reaches it with its next beat", async () => {
  const page = await open("/agents");
  const row = agent(page, "claude-anna");
  await row.getByRole("button", { name: /^Stop claude-anna/ }).click();
  const dialog = page.getByRole("dialog");
  await expect.poll(() => dialog.getByRole("button", { name: "Ask to stop" }).isDisabled()).toBe(true);
  await dialog.getByLabel("Why; the agent reads it").fill("The plan has changed.");
  await dialog.getByRole("button", { name: "Ask to stop" }).click();
  await row.getByText("stop requested").waitFor();
  const lease = scene.held[0];
  const beat = await lease?.heartbeat();
  expect(beat?.directives).toEqual([{ kind: "cancel", reason: "The plan has changed." }]);
  await lease?.release({ reason: "Asked to." });
  await row.getByText("Holds nothing").waitFor();
  expectNoFaults(page);
}, 90_000);

it("to revoke a token says which leases end; then its next call is refused and its task is free", async () => {
  const page = await open("/agents");
  const row = agent(page, "claude-bo");
  await row.getByText("Tokens and days").click();
  await row.getByRole("button", { name: "Revoke a token of claude-bo (worker)" }).click();
  const dialog = page.getByRole("dialog");
  const held = scene.held[1];
  const { task } = await scene.lead.tasks.get(held?.taskId ?? "");
  await dialog.getByText(task.title).waitFor();
  await dialog.getByRole("button", { name: "Revoke it" }).click();
  await row.getByText("revoked", { exact: true }).waitFor();
  await row.getByText("Holds nothing").waitFor();
  await expect(scene.workers[1]?.get()).rejects.toMatchObject({ code: "token_revoked" });
  expect((await scene.lead.tasks.get(task.id)).task).toMatchObject({ status: "todo", lease: null });
  expect(await page.evaluate("document.activeElement !== document.body")).toBe(true);
  expectNoFaults(page);
}, 90_000);

it("a token is shown once and kept nowhere; its light turns on with the agent's first call", async () => {
  const page = await open("/connect?role=verifier&capability=gpu");
  expect(await page.getByLabel("Role").inputValue()).toBe("verifier");
  expect(await page.getByLabel("Capabilities", { exact: false }).inputValue()).toBe("gpu");
  await page.getByLabel("Name of the agent").fill("reviewer-1");
  await page.getByRole("button", { name: "Mint the token" }).click();
  await page.getByText("Waiting for its first call").waitFor();
  const line = await page.locator(".connect-minted code").textContent();
  const token = (line ?? "").replace("export EDGEBOARD_TOKEN=", "");
  const kept = await page.evaluate<string>(
    "JSON.stringify([localStorage, sessionStorage, history.state, location.href, document.cookie])",
  );
  expect(kept).not.toContain(token);
  const response = await fetch(`${stage.server.url}/mcp`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "list_tasks", arguments: { ready: true } },
    }),
  });
  expect(response.status).toBe(200);
  await page.getByText("First call received").waitFor({ timeout: 12_000 });
  await page.reload();
  await page.getByRole("heading", { name: "A token for an agent" }).waitFor();
  expect(await page.content()).not.toContain(token);
  expectNoFaults(page);
}, 90_000);

it("each client has its block on a tab of its own, with this server's address, by the arrow keys too", async () => {
  const page = await open("/connect");
  await page.getByRole("tab", { name: "Claude Code" }).focus();
  for (const name of ["Codex", "Cursor", "VS Code", "curl", "Edgeboard CLI"]) {
    await page.keyboard.press("ArrowRight");
    const tab = page.getByRole("tab", { name });
    expect(await tab.getAttribute("aria-selected")).toBe("true");
    expect(await page.evaluate("document.activeElement.textContent")).toBe(name);
    expect(await page.getByRole("tabpanel").textContent()).toContain(stage.server.url);
  }
  expectNoFaults(page);
}, 60_000);

it("a viewer sees who works here, without tokens and without a way to end anything", async () => {
  const { token } = await scene.lead.mintToken({ agentId: "watcher", role: "viewer" });
  const page = await signedIn(stage, token, "/b/team/agents");
  await agent(page, "codex-mill").waitFor();
  expect(await page.getByRole("button", { name: /Stop|Revoke/ }).count()).toBe(0);
  expect(await page.getByRole("link", { name: "Connect an agent" }).count()).toBe(0);
  expectNoFaults(page);
}, 60_000);

it.each(["light", "dark"] as const)(
  "nothing stands in anybody's way (%s)",
  async (theme) => {
    for (const [path, ready] of [
      ["/agents", "Tokens and days"],
      ["/connect", "A token for an agent"],
    ] as const) {
      const page = await open(path, { theme, calm: true });
      await page.getByText(ready).first().waitFor();
      for (const summary of await page.locator("summary").all()) await summary.click();
      expect(await axe(page)).toEqual([]);
      await page.context().close();
    }
  },
  90_000,
);
