/** Values at and beyond what can be stored, by whatever door they come. */
import { expect, it } from "vitest";
import { call, newBoard, OPERATOR, ok } from "../support/api.ts";
import { beads, newScene } from "./samples.ts";
import { invalid, keyed, send, standing } from "./support.ts";

const emoji = (count: number) => "😀".repeat(count);
const LONG = "x".repeat(20_001);
const NUL = "a\u0000b";
const HIGH = "a\ud83d";

it("numbers beyond every bound are refused as they are written", async () => {
  const board = await newBoard();
  const before = await standing(board);
  for (const number of ["1e309", "-1e309", "1e21", "9007199254740993", "123456789012345678901234567890"]) {
    for (const field of ["priority", "notBefore", "budgetUsd"])
      invalid(
        await call(board.lead, "POST", `${board.path}/tasks`, `{"title":"x","${field}":${number}}`),
        field,
        number,
      );
    invalid(await call(board.lead, "GET", `${board.path}/tasks?limit=${number}`), "limit", number);
  }
  expect(await standing(board)).toBe(before);
});

it("an identifier no task can have is never an internal error", async () => {
  const scene = await newScene();
  const { board, open } = scene;
  const before = await standing(board, open.id);
  for (const id of [
    NUL,
    HIGH,
    "n0",
    "n-1",
    "n99999999999999999999",
    "N1",
    "1",
    "'; drop table tasks; --",
    "%",
  ]) {
    const link = await call(board.lead, "POST", `${board.path}/tasks/${open.id}/dependencies`, {
      dependsOnTaskId: id,
    });
    expect([id, link.status < 500]).toEqual([id, true]);
    expect(link.status).toBeGreaterThanOrEqual(400);
    if (id === HIGH) continue;
    const read = await call(board.lead, "GET", `${board.path}/tasks/${encodeURIComponent(id)}`);
    expect([id, read.status, read.json.code]).toEqual([id, 404, "task_not_found"]);
  }
  for (const path of ["%ff", "%", "%zz", "%ed%a0%80", "a%2fb"])
    expect((await call(board.lead, "GET", `${board.path}/tasks/${path}`)).status).toBe(404);
  expect(await standing(board, open.id)).toBe(before);
});

it("bytes that are no UTF-8 are refused also where they would only spoil a text", async () => {
  const board = await newBoard();
  const before = await standing(board);
  const [head, tail] = ['{"title":"a', 'b"}'].map((text) => [...new TextEncoder().encode(text)]) as [
    number[],
    number[],
  ];
  const headers = { authorization: `Bearer ${board.lead}`, "content-type": "application/json" };
  for (const bad of [[0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82]]) {
    const body = new Uint8Array([...head, ...bad, ...tail]);
    invalid(await send(`${board.path}/tasks`, { method: "POST", headers, body }), "", String(bad));
  }
  expect(await standing(board)).toBe(before);
});

it("500 code points are fine whatever they weigh, and 501 are not", async () => {
  const board = await newBoard();
  for (const title of [emoji(500), "x".repeat(500), "é".repeat(500)]) {
    const task = await board.add({ title });
    expect([...task.title]).toHaveLength(500);
    expect(await board.get(task.id)).toMatchObject({ title });
  }
  const body = emoji(20_000);
  const said = await call(board.lead, "POST", `${board.path}/tasks/n1/comments`, { body });
  expect(ok(said, 201).comment.body).toBe(body);
  invalid(await call(board.lead, "POST", `${board.path}/tasks`, { title: emoji(501) }), "title");
});

it("a refused request may come again, mended, under the same key", async () => {
  const board = await newBoard();
  const path = `${board.path}/tasks`;
  invalid(await keyed(board.lead, path, "k", { title: "" }), "title");
  const made = await keyed(board.lead, path, "k", { title: "mended" });
  ok(made, 201);
  expect(made.headers.get("idempotency-replayed")).toBeNull();
});

it("settings that do not go together are named each, and the board stays as it is", async () => {
  const board = await newBoard();
  const before = await standing(board);
  const settings = { leaseTtlMs: 1_000, beatEveryMs: 500, sweepEveryMs: 3_600_000 };
  invalid(
    await call(board.lead, "PATCH", board.path, { settings }),
    "settings.beatEveryMs",
    "",
    422,
    "invalid_settings",
  );
  const id = `faulty-${crypto.randomUUID()}`;
  const made = await call(OPERATOR, "POST", "/boards", { id, name: "x", settings });
  invalid(made, "settings.beatEveryMs", "", 422, "invalid_settings");
  expect(made.json.issues.length).toBeGreaterThan(1);
  expect((await call(OPERATOR, "GET", `/boards/${id}`)).status).toBe(404);
  expect(
    ok(await call(OPERATOR, "GET", "/boards?limit=200")).boards.map((one: { id: string }) => one.id),
  ).not.toContain(id);
  expect(await standing(board)).toBe(before);
});

it("an import names the line and the field of each fault and stores nothing", async () => {
  const board = await newBoard();
  const before = await standing(board);
  const bring = (text: string) => call(board.lead, "POST", `${board.path}/import?format=beads`, text);
  const good = beads({ id: "bd-0" });
  const faults: [string, string][] = [
    ["line 2", `${good}\nnot json`],
    ["line 2.title", `${good}\n${beads({ title: "" })}`],
    ["line 2.title", `${good}\n${beads({ title: NUL })}`],
    ["line 2.description", `${good}\n${beads({ description: HIGH })}`],
    ["line 2.priority", `${good}\n${beads({ priority: 5 })}`],
    ["line 2.created_at", `${good}\n${beads({ created_at: "yesterday" })}`],
    ["line 1.id", beads({ id: 7 })],
    ["bd-1.status", beads({ status: "strange" })],
    ["bd-1", `${beads()}\n${beads()}`],
    ["bd-1.labels", beads({ labels: Array.from({ length: 21 }, (_, n) => `l${n}`) })],
    ["bd-1.dependencies", beads({ dependencies: [{ depends_on_id: "bd-9", type: "blocks" }] })],
    ["bd-1.parent", beads({ dependencies: [{ depends_on_id: "bd-9", type: "parent-child" }] })],
  ];
  for (const [path, text] of faults) invalid(await bring(text), path, path, 422, "import_invalid");
  expect(await standing(board)).toBe(before);
});

it("no text of an import gets around the rules for text", async () => {
  const board = await newBoard();
  const before = await standing(board);
  // Too long for a label, so that it becomes a comment.
  for (const external_ref of [NUL, `${"x".repeat(70)}${NUL}`, `${"x".repeat(70)}${HIGH}`, LONG]) {
    const reply = await call(
      board.lead,
      "POST",
      `${board.path}/import?format=beads`,
      beads({ external_ref }),
    );
    expect(reply.status, reply.text).toBe(422);
  }
  expect(await standing(board)).toBe(before);
});
