/** What stands in the documents to be pasted into a shell is pasted, page by page, and has to work. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRun, kindOf, MARKED, saysOf } from "./marks.ts";
import { blocksIn, placeOf } from "./pages.ts";
import { forgetPackage, openWorkplace, type Workplace } from "./workplace.ts";

const blocks = blocksIn("sh", "bash", "console");
const run = blocks.filter(isRun);

afterAll(forgetPackage);

it("a mark is one of those there are, and every marked block is counted", () => {
  const counted: Record<string, Record<string, number>> = {};
  for (const block of blocks.filter((block) => block.mark !== null || !isRun(block))) {
    const kind = kindOf(block) ?? `${placeOf(block)}: ${block.mark}`;
    const page = counted[block.page] ?? {};
    counted[block.page] = { ...page, [kind]: (page[kind] ?? 0) + 1 };
  }
  expect(counted).toEqual(MARKED);
});

it("most of what can be pasted is run", () => {
  expect(run.length).toBeGreaterThan(blocks.length / 2);
});

it("no block hides that a command of it failed", () => {
  // `export` succeeds whatever it is given, and curl takes a refusal for an answer.
  const hides = /\b(?:export|local|declare|readonly) \w+="?\$\(|\bcurl (?!.*--fail|-f)/;
  expect(run.filter(({ text }) => text.split("\n").some((line) => hides.test(line))).map(placeOf)).toEqual(
    [],
  );
});

describe.each([...new Set(run.map(({ page }) => page))])("%s", (page) => {
  const mine = run.filter((block) => block.page === page);
  let workplace: Workplace;
  let broken = false;

  beforeAll(async () => {
    workplace = await openWorkplace();
    // A page that does not start the server is read beside one that runs.
    if (!mine.some(({ text }) => text.includes("npm start")))
      await workplace.shell.begin("npx --no-install node src/local/start.ts", "Ctrl-C");
  });
  afterAll(() => workplace?.leave());

  it.each(mine.map((block) => [placeOf(block), block] as const))("%s", async (_place, block) => {
    expect(broken, "an earlier block of this page failed").toBe(false);
    broken = true;
    const says = saysOf(block);
    const text = workplace.here(block.text);
    if (says !== null) await workplace.shell.begin(text, says);
    // A refusal over MCP is a 200 that curl is content with.
    else expect(await workplace.shell.paste(text)).not.toMatch(/"isError":true|"error":\{"code"/);
    broken = false;
  });
});
