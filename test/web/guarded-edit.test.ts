/** Edits of what was read a while ago: what is saved, and what a person has to decide. */
import { describe, expect, it } from "vitest";
import type { Board } from "../../src/client/index.ts";
import { Refused } from "../../src/client/index.ts";
import type { Task } from "../../src/contract/task.ts";
import { changesOf, conflictsOf, type Draft, saveDraft } from "../../src/web/task/guarded-edit.ts";

const base = { id: "a", version: 3, title: "Old", description: "Was", priority: 1, labels: ["x"] } as Task;
const task = (change: Partial<Task>): Task => ({ ...base, ...change });

describe("a draft", () => {
  it("is only what says something else", () => {
    const draft: Draft = { title: "Old", labels: ["x"], priority: 2, kind: null };
    expect(changesOf(task({ kind: null }), draft)).toEqual({ priority: 2 });
  });

  it.each<[string, Draft, Partial<Task>, string[]]>([
    ["both wrote the title", { title: "Mine" }, { title: "Theirs" }, ["title"]],
    ["both wrote the same", { title: "Same" }, { title: "Same" }, []],
    ["each wrote something else", { title: "Mine" }, { description: "Theirs" }, []],
    ["both wrote two fields", { title: "M", labels: ["m"] }, { title: "T", labels: [] }, ["title", "labels"]],
  ])("%s", (_says, draft, theirs, fields) => {
    expect(conflictsOf(base, draft, task(theirs))).toEqual(fields);
  });
});

/** A board with one task, on which somebody else writes before each of our calls. */
function boardOf(meanwhile: Partial<Task>[]) {
  let now = base;
  const sent: unknown[] = [];
  const edit = async (_id: string, body: object, { ifVersion }: { ifVersion: number }) => {
    const change = meanwhile.shift();
    if (change !== undefined) now = { ...now, ...change, version: now.version + 1 };
    if (ifVersion !== now.version)
      throw new Refused({
        code: "version_mismatch",
        detail: "It has changed.",
        task: now,
        // biome-ignore lint/suspicious/noExplicitAny: of a problem only this is looked at
      } as any);
    sent.push(body);
    now = { ...now, ...body, version: now.version + 1 };
    return { task: now };
  };
  return { board: { tasks: { edit } } as unknown as Board, sent, now: () => now };
}

describe("saving", () => {
  it("sends only what was changed", async () => {
    const { board, sent } = boardOf([]);
    await saveDraft(board, base, { title: "Mine", description: "Was" });
    expect(sent).toEqual([{ title: "Mine" }]);
  });

  it("goes past what others changed elsewhere, as often as they do", async () => {
    const { board, now } = boardOf([{ priority: 5 }, { description: "Theirs" }]);
    await saveDraft(board, base, { title: "Mine" });
    expect(now()).toMatchObject({ title: "Mine", description: "Theirs", priority: 5 });
  });

  it("changes nothing where both wrote, and tells both", async () => {
    const { board, sent } = boardOf([{ title: "Theirs", priority: 5 }]);
    const saved = await saveDraft(board, base, { title: "Mine", labels: [] });
    expect(saved).toMatchObject({ conflict: { fields: ["title"], theirs: { title: "Theirs" } } });
    expect(sent).toEqual([]);
  });

  it("throws what is refused for another reason", async () => {
    const refused = new Refused({ code: "board_archived", detail: "It is archived." } as never);
    const board = { tasks: { edit: () => Promise.reject(refused) } } as unknown as Board;
    await expect(saveDraft(board, base, { title: "Mine" })).rejects.toBe(refused);
  });
});
