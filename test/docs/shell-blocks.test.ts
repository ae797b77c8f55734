/** What stands in the documents to be pasted into a shell is pasted, page by page, and has to work. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
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

const pages = [...new Set(run.map(({ page }) => page))];
const blocksOf = (page: string) => run.filter((block) => block.page === page);
const starts = (page: string) => blocksOf(page).some(({ text }) => text.includes("npm start"));

/** Several at once: each has a place of its own, and mostly waits for its server. */
it.concurrent.each(pages.filter(starts))("%s works from its top to its end", (page) => work(page));

describe("beside a server that runs", () => {
  let server: Workplace;

  beforeAll(async () => {
    server = await openWorkplace();
    await server.shell.begin("npx --no-install node src/local/start.ts", "Ctrl-C");
  });
  afterAll(() => server?.leave());
  beforeEach(() => server.shell.paste(AFRESH(server.port)));

  it.each(pages.filter((page) => !starts(page)))("%s works from its top to its end", (page) =>
    work(page, server),
  );
});

/** The boards of the page before go, and the demo board is as it is after the first start. */
const AFRESH = (port: number) => `source .dev.vars
API="http://127.0.0.1:${port}/api/v1/boards"
call() { curl -sS --fail-with-body -H "Authorization: Bearer $EDGEBOARD_OPERATOR_TOKEN" -H 'Content-Type: application/json' "$@"; }
for board in $(call "$API?limit=200" | node -pe 'JSON.parse(fs.readFileSync(0)).boards.map(({ id }) => id).join(" ")'); do call -X DELETE "$API/$board?confirm=$board"; done
call "$API" -d '{"id":"demo","name":"Demo"}'`;

async function work(page: string, beside?: Workplace): Promise<void> {
  const workplace = await openWorkplace(beside);
  try {
    for (const block of blocksOf(page)) await paste(workplace, block);
  } finally {
    await workplace.leave();
  }
}

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
