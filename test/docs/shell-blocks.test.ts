/** What stands in the documents to be pasted into a shell is pasted, page by page, and has to work. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { isRun, kindOf, MARKED, saysOf } from "./marks.ts";
import { type Block, blocksIn, placeOf } from "./pages.ts";
import { forgetPackage, makePackage, openWorkplace, type Workplace } from "./workplace.ts";

const blocks = blocksIn("sh", "bash", "console");
const run = blocks.filter(isRun);

beforeAll(makePackage);
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

/** Several at once: each page has a place and a server of its own, and mostly waits for it. */
it.concurrent.each([...new Set(run.map(({ page }) => page))])(
  "%s works from its top to its end",
  async (page) => {
    const mine = run.filter((block) => block.page === page);
    const workplace = await openWorkplace();
    try {
      // A page that does not start the server is read beside one that runs.
      if (!mine.some(({ text }) => text.includes("npm start")))
        await workplace.shell.begin("npx --no-install node src/local/start.ts", "Ctrl-C");
      for (const block of mine) await paste(workplace, block);
    } finally {
      await workplace.leave();
    }
  },
);

async function paste(workplace: Workplace, block: Block): Promise<void> {
  const says = saysOf(block);
  const text = workplace.here(block.text);
  if (says !== null) await workplace.shell.begin(text, says);
  else {
    const said = await workplace.shell.paste(text);
    // A refusal over MCP is a 200 that curl is content with.
    expect(said, placeOf(block)).not.toMatch(/"isError":true|"error":\{"code"/);
  }
}
