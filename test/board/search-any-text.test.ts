/** Whatever is typed and whatever is stored: no search fails, and each finds what a plain look at the texts finds. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { listTasks } from "../../src/board/operations/list-tasks.ts";
import { EVERY_TASK } from "../../src/board/store/task-lists.ts";
import { fold, missingIn, readTerms } from "../../src/rules/search.ts";
import { call, newBoard, ok } from "../support/api.ts";
import { inside, WORKER } from "../support/inside.ts";

const NOW = 1_800_000_000_000;
/** Without letters whose other case the index may not know. */
const isOld = (text: string) =>
  [...text].every((letter) => letter < "\u0370" || letter.toLowerCase() === letter.toUpperCase());
const storable = (text: string) => text.isWellFormed() && !text.includes("\0");
/** Few characters, so that texts share pieces; those of query languages among them. */
const narrow = fc.string({
  unit: fc.constantFrom(..."aAbßéÉ猫日本🚀\u200d\u0301\"'*-:()^+ \n", "NEAR", " AND "),
  maxLength: 24,
});
const wide = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 24 }),
  fc.string({ unit: "binary", maxLength: 24 }),
);
const text = fc.oneof(narrow, narrow, wide).filter(storable);

it("a search never fails, and finds exactly the tasks that hold its terms", async () => {
  const board = await newBoard();
  const texts = fc.sample(text, { numRuns: 90, seed: 7 });
  const tasks = texts.slice(0, 30).map((title, index) => ({
    ref: `r${index}`,
    title: `t${title}`,
    description: texts[30 + index] as string,
  }));
  const made: { id: string }[] = ok(
    await call(board.lead, "POST", `${board.path}/plans`, { tasks }),
    201,
  ).tasks;
  const said = texts.slice(60).map((body, index) => ({ at: (index * 7) % 30, body: `c${body}` }));
  for (const { at, body } of said)
    ok(await call(board.lead, "POST", `${board.path}/tasks/${made[at]?.id}/comments`, { body }), 201);
  const holds = (index: number, terms: string[]) =>
    [
      tasks[index]?.title,
      tasks[index]?.description,
      ...said.filter(({ at }) => at === index).map(({ body }) => body),
    ].reduce((missing, one) => missingIn(one ?? "", missing), terms.map(fold)).length === 0;
  /** Often a piece of what is stored, glued to something else or not. */
  const piece = fc
    .tuple(fc.constantFrom(...texts), fc.nat(24), fc.integer({ min: 1, max: 6 }))
    .map(([from, start, length]) => [...from].slice(start, start + length).join(""));
  const query = fc.array(fc.oneof(piece, piece, text), { maxLength: 4 }).chain((parts) => {
    const [apart, glued] = [parts.join(" "), parts.join("")];
    return fc.constantFrom(apart, glued, isOld(apart) ? apart.toUpperCase() : apart).filter(storable);
  });
  await inside(board, (visit) => {
    let hits = 0;
    fc.assert(
      fc.property(
        query,
        fc.constantFrom("newest" as const, "oldest" as const, "queue" as const),
        (q, order) => {
          const page = listTasks(visit.context(NOW, WORKER), {
            filter: EVERY_TASK,
            order,
            q,
            cursor: null,
            limit: 200,
          });
          if (!page.ok) throw new Error(page.reason);
          const found = page.value.tasks.map(({ number }) => number).sort((a, b) => a - b);
          const terms = readTerms(q);
          expect(found).toEqual(tasks.flatMap((_, index) => (holds(index, terms) ? [index + 1] : [])));
          expect(page.value.hasMore).toBe(false);
          if (terms.length > 0) hits += found.length;
        },
      ),
      { numRuns: 600, seed: 20_31 },
    );
    expect(hits).toBeGreaterThan(300);
  });
});
