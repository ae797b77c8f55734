/** The boards there are: an operator makes and deletes them, everybody else has one. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { axe, expectNoFaults, makeBoard, openStage, type Stage, signedIn } from "./signed-in.ts";

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
}, 120_000);
afterAll(() => stage?.close(), 60_000);

it("an operator begins with one clear start, makes a board, and deletes it by typing its id", async () => {
  const page = await signedIn(stage, stage.server.operatorToken, "/");
  await page.getByRole("heading", { name: "There is no board yet" }).waitFor();
  expect(await page.getByRole("button", { name: /board/ }).count()).toBe(1);
  expect(await axe(page)).toEqual([]);
  await page.getByRole("button", { name: "Create the first board" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name", { exact: true }).fill("Notes <b>service</b>");
  await dialog.getByLabel(/^Id/).fill("notes");
  await dialog.getByRole("button", { name: "Create" }).click();
  const token = await dialog.locator("code").textContent();
  expect((await stage.operator.board("notes").get()).board.name).toBe("Notes <b>service</b>");
  const own = await fetch(`${stage.server.url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } });
  expect(await own.json()).toMatchObject({ role: "lead", board: "notes" });
  await dialog.getByRole("button", { name: "Close" }).click();
  expect(await page.content()).not.toContain(token);
  await stage.operator.board("notes").tasks.create({ title: "One" });
  await page.reload();
  await page.getByRole("link", { name: "Notes <b>service</b>" }).waitFor();
  await page.getByRole("listitem").filter({ hasText: "To do: 1" }).first().waitFor();
  expect(await axe(page)).toEqual([]);
  await page.getByRole("button", { name: "Delete Notes <b>service</b>" }).click();
  const sure = dialog.getByRole("button", { name: "Delete it for good" });
  await dialog.getByRole("textbox").fill("note");
  expect(await sure.isDisabled()).toBe(true);
  await dialog.getByRole("textbox").fill("notes");
  await sure.click();
  await page.getByRole("heading", { name: "There is no board yet" }).waitFor();
  expect((await stage.operator.listBoards()).boards).toEqual([]);
  expectNoFaults(page);
}, 60_000);

it("whoever holds a board's token sees that board, marked where it is archived, and signs out", async () => {
  const { board, token } = await makeBoard(stage, "own");
  await board.change({ archived: true });
  const page = await signedIn(stage, token, "/", { theme: "dark", width: 390 });
  await page.getByText("archived").waitFor();
  expect(await page.getByRole("button", { name: /Delete|Create/ }).count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  await page.getByRole("link", { name: "Open" }).click();
  await page.waitForURL(/\/b\/own$/);
  await page.goBack();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByLabel("Token").waitFor();
  expectNoFaults(page);
}, 60_000);
