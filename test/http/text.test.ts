/** Text comes back exactly as it was sent, through every door it can go in and out by. */
import { decodeJwt } from "jose";
import { describe, expect, it } from "vitest";
import type { Task } from "../../src/contract/task.ts";
import { call, events, newBoard, ok } from "../support/api.ts";
import { contentsOf, exported, importing } from "../support/exports.ts";
import { beads, VERDICT } from "./samples.ts";
import { keyed, send } from "./support.ts";

const TEXTS: Record<string, string> = {
  "an emoji family joined with ZWJ": "👨‍👩‍👧‍👦 and 🏳️‍🌈 and 👍🏽",
  flags: "🇩🇪🇯🇵🏴󠁧󠁢󠁷󠁬󠁳󠁿",
  "right to left, with its marks": "שלום \u200fمرحبا\u202e abc \u202c",
  "combining marks": "e\u0301 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢ a\u0323\u0307",
  "both kinds of line end": "one\r\ntwo\nthree\rfour\u2028five\u2029six\u0085seven",
  "replacement patterns": "$1 $& $$ $` $' \u0024{x} %s {0} \\1 \\n",
  markup: "<script>alert('x')</script> &lt; &amp; <!-- --> ]]> <b>",
  SQL: "'); drop table tasks; -- \" ` ?1 :a @b $c",
  JSON: '{"a":"b\\u0000"} \\ / \\" \\ud83d',
  "white space at both ends": " \t two  spaces \u00a0\u3000",
  "characters beyond the first plane": "𝒳𠮷🜁\u{10ffff}",
  "marks nobody sees": "\ufeffbom a\u200bb\u200c\u200d\u2060 \u00ad",
  "controls and non-characters": "\u0001\u0007\u001b[31m\u007f\ufffe\uffff\ufffd",
  "several scripts": "日本語 한국어 Ελληνικά हिन्दी ไทย",
  "front matter": "---\ntitle: x\n---\n# $HOME ~ `rm -rf`",
  "a name of a member": "__proto__",
  numerals: "1e3",
};

const NFC = "caf\u00e9 \ud55c";
const NFD = "cafe\u0301 \u1112\u1161\u11ab";

describe.each(Object.entries(TEXTS))("%s", (_, text) => {
  it("stays what it is in a task, in lists, in the log and in an edit", async () => {
    const board = await newBoard();
    const fields = {
      title: text,
      description: text,
      labels: [text],
      kind: text,
      teamId: text,
      externalRef: text,
    };
    const task = await board.add(fields);
    expect(task).toMatchObject(fields);
    expect(await board.get(task.id)).toMatchObject(fields);
    const exact = encodeURIComponent(text);
    for (const query of [
      "",
      "ready=true",
      `externalRef=${exact}`,
      `label=${exact}`,
      `kind=${exact}&teamId=${exact}`,
    ]) {
      const { tasks } = ok(await call(board.lead, "GET", `${board.path}/tasks?${query}`));
      expect([query, tasks]).toEqual([query, [await board.get(task.id)]]);
    }
    const [created] = await events(board, "&kind=task_created");
    expect(created.data.task).toMatchObject({ title: text, description: text, externalRef: text });
    const path = `${board.path}/tasks/${task.id}`;
    ok(await call(board.lead, "PATCH", path, { title: "plain", description: "plain", labels: [] }));
    ok(await call(board.lead, "PATCH", path, { title: text, description: text, labels: [text] }));
    expect(await board.get(task.id)).toMatchObject(fields);
    expect((await events(board)).at(-1)?.data.fields).toEqual({
      title: text,
      description: text,
      labels: [text],
    });
  });

  it("stays what it is in a comment, a run, a handoff, a verdict and a name", async () => {
    const board = await newBoard();
    const agent = text;
    const worker = await board.mint(agent, "worker", { runtime: text, capabilities: [text] });
    expect(decodeJwt(worker).sub).toBe(agent);
    expect(ok(await call(worker, "GET", "/me"))).toMatchObject({
      agentId: agent,
      runtime: text,
      capabilities: [text],
    });
    const task = await board.add({ title: "x", requiredCapabilities: [text], assigneeRuntime: text });
    const path = `${board.path}/tasks/${task.id}`;
    expect(ok(await call(worker, "POST", `${path}/comments`, { body: text }), 201).comment).toMatchObject({
      body: text,
      authorId: agent,
    });
    const { lease } = await board.claim(task.id, worker, { runReason: text });
    ok(await call(worker, "POST", `${path}/heartbeat`, { leaseToken: lease.token, progress: text }));
    const result = { ...VERDICT, debtNotes: [text] };
    ok(await call(board.lead, "PUT", `${path}/verification`, { epoch: 1, result }));
    expect(ok(await call(board.lead, "GET", `${path}/verification`)).verification.debtNotes).toEqual([text]);
    const handoff = { next: text, done: [text], commands: { init: text } };
    ok(await call(worker, "POST", `${path}/release`, { leaseToken: lease.token, reason: text, handoff }));
    const again = await board.claim(task.id, worker);
    expect(again.handoff).toEqual(handoff);
    const closing = {
      leaseToken: again.lease.token,
      outcome: "succeeded",
      status: "in_review",
      summary: text,
      error: text,
    };
    ok(await call(worker, "POST", `${path}/complete`, closing));
    const told = ok(await call(board.lead, "GET", `${path}?include=comments,executions`));
    expect(told.comments).toMatchObject([{ body: text, authorId: agent }]);
    expect(told.executions).toMatchObject([
      { agentId: agent, runReason: text, progress: text, reason: text, handoff },
      { agentId: agent, summary: text, error: text },
    ]);
  });

  it("stays what it is in a plan, an import, a replay, a board's name and an export", async () => {
    const board = await newBoard();
    const plan = await keyed(board.lead, `${board.path}/plans`, "k", { tasks: [{ ref: text, title: text }] });
    expect(ok(plan, 201).tasks[0].ref).toBe(text);
    expect(
      (await keyed(board.lead, `${board.path}/plans`, "k", { tasks: [{ ref: text, title: text }] })).text,
    ).toBe(plan.text);
    const issue = beads({
      id: text,
      title: text,
      description: text,
      comments: [{ author: text, text, created_at: "2025-01-01T00:00:00Z" }],
    });
    ok(await call(board.lead, "POST", `${board.path}/import?format=beads`, issue));
    const { tasks } = ok(await call(board.lead, "GET", `${board.path}/tasks`));
    expect(tasks).toMatchObject([{ title: text, description: text, externalRef: text }, { title: text }]);
    const said = ok(await call(board.lead, "GET", `${board.path}/tasks/${tasks[0].id}/comments`)).comments;
    expect(said).toMatchObject([{ body: text, authorId: text }]);
    expect(ok(await call(board.lead, "PATCH", board.path, { name: text })).board.name).toBe(text);
    const copy = await newBoard();
    await importing(copy, await exported(board));
    expect(ok(await call(copy.lead, "GET", `${copy.path}/tasks`)).tasks).toMatchObject(
      tasks.map(({ id, title, description }: Task) => ({ id, title, description })),
    );
    expect(await contentsOf(copy)).toEqual(await contentsOf(board));
  });
});

it("composed and decomposed forms are two texts", async () => {
  const board = await newBoard();
  expect(NFC.normalize("NFD")).toBe(NFD);
  const made = [];
  for (const text of [NFC, NFD])
    made.push(await board.add({ title: text, labels: [text], externalRef: text }));
  for (const [index, text] of [NFC, NFD].entries())
    for (const name of ["label", "externalRef"]) {
      const { tasks } = ok(
        await call(board.lead, "GET", `${board.path}/tasks?${name}=${encodeURIComponent(text)}`),
      );
      expect(tasks).toEqual([made[index]]);
    }
});

it("a text written in bytes and one written in escapes are the same text", async () => {
  const board = await newBoard();
  const text = TEXTS["flags"] as string;
  const escaped = [...text]
    .map((c) => Array.from({ length: c.length }, (_, i) => `\\u${c.charCodeAt(i).toString(16)}`).join(""))
    .join("");
  const headers = {
    authorization: `Bearer ${board.lead}`,
    "content-type": "application/json; charset=utf-8",
  };
  for (const body of [`{"title":"${text}"}`, `{"title":"${escaped}"}`]) {
    const made = await send(`${board.path}/tasks`, {
      method: "POST",
      headers,
      body: new TextEncoder().encode(body),
    });
    expect(ok(made, 201).task.title).toBe(text);
    expect(made.headers.get("content-type")).toMatch(/^application\/json/);
  }
});

it("twenty thousand characters of any kind come back whole", async () => {
  const board = await newBoard();
  for (const unit of ["x", "é", "語", "👾", "\r\n"]) {
    const description = unit.repeat(20_000 / [...unit].length);
    const task = await board.add({ title: "long", description });
    expect((await board.get(task.id)).description === description).toBe(true);
  }
});
