/** What is said on the line and how answers look, without a server. */
import { execFileSync, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadAll, NAMES } from "../../src/cli/commands.ts";
import { SHELLS, script } from "../../src/cli/completion.ts";
import { Output, oneLine, type Streams } from "../../src/cli/output.ts";
import { table } from "../../src/cli/table.ts";
import { bare, rowsOf, tablesOf } from "../structure/markdown.ts";
import { buildProgram, type Program } from "./program.ts";

let program: Program;

beforeAll(async () => {
  program = await buildProgram();
}, 60_000);

afterAll(() => program?.remove());

describe("a mistake on the line is one line with the next step, and exit code 2", { timeout: 30_000 }, () => {
  it.each([
    [["adb"], /unknown command 'adb' \(Did you mean add\?\)/],
    [["--bad"], /unknown option '--bad'/],
    [["add"], /missing required argument 'title'.*edgeboard add --help/],
    [["add", "x", "--prio", "1"], /unknown option '--prio'/],
    [["add", "x", "-p", "10"], /'10' does not do for -p.*from 0 to 9/],
    [["add", "x", "--not-before", "soon"], /a span from now/],
    [["show", "n 1"], /n and its number/],
    [["move", "n1", "finished"], /backlog, todo/],
    [["board"], /create, list, show, delete/],
    [["board", "foo"], /unknown command 'foo'/],
    [["ready", "n1"], /too many arguments/],
    [["edit", "n1"], /nothing to change/],
    [["done"], /No task is held here/],
    [["done", "n1", "--failed", "--review"], /do not go together/],
    [["ready", "--url", "board.example"], /no address/],
    [["plan", "-"], /not JSON/],
  ])("%j", async (args, words) => {
    const ran = await program.run(args, { env: { EDGEBOARD_TOKEN: "a.b.c", EDGEBOARD_BOARD: "b" } });
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toMatch(words);
    expect(ran.err).toMatch(/^edgeboard: [^\n]+\n$/);
  });

  it("as JSON, where JSON was asked for", async () => {
    const ran = await program.run(["add", "--json"]);
    expect(JSON.parse(ran.err)).toMatchObject({ exit: 2, detail: expect.stringContaining("title") });
  });

  it("without a token it is exit code 3", async () => {
    expect(await program.run(["ready"])).toMatchObject({ code: 3, out: "" });
  });
});

describe("help", { timeout: 30_000 }, () => {
  it("names every command", async () => {
    const { out, code } = await program.run([]);
    expect(code).toBe(0);
    for (const name of NAMES) expect(out).toContain(`  ${name.split(" ")[0]}`);
  });

  it("of a command has its options and examples", async () => {
    const { out, code } = await program.run(["claim", "--help"]);
    expect(code).toBe(0);
    expect(out).toMatch(/--wait <span>[\s\S]*Examples:\n {2}edgeboard claim/);
  });

  it("every example is a line of its command", async () => {
    for (const [name, { examples }] of await loadAll()) {
      expect(examples.length, name).toBeGreaterThan(0);
      for (const [line] of examples) expect(line).toContain(`edgeboard ${name}`);
    }
  });

  it("every command has a file, and every file is a command", () => {
    const files = readdirSync(join(import.meta.dirname, "../../src/cli/commands"));
    expect(files.sort()).toEqual(NAMES.map((name) => `${name.replace(" ", "-")}.ts`).sort());
  });

  it("docs/cli.md lists every command as its help does", async () => {
    const listed = rowsOf(tablesOf("docs/cli.md"), "Commands", "command").map(([line = "", does]) => [
      bare(line),
      does,
    ]);
    const there = [...(await loadAll())].map(([name, { args = {}, summary }]) => {
      const words = Object.entries(args).map(([arg, { optional }]) => (optional ? `[${arg}]` : `<${arg}>`));
      return [["edgeboard", name, ...words].join(" "), summary];
    });
    expect(listed).toEqual(there);
  });

  it("the version is the package's", async () => {
    expect((await program.run(["--version"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });
});

describe("completion", () => {
  const CHECKS = { bash: ["-n"], zsh: ["-n"], fish: ["--no-execute"] } as const;

  it.each(SHELLS)("of %s is sound", async (shell) => {
    const text = script(shell, await loadAll());
    for (const word of ["claim", "revoke", "notBefore".replace("B", "-b")]) expect(text).toContain(word);
    const checked = spawnSync(shell, CHECKS[shell], { input: text, encoding: "utf8" });
    // Not every machine has every shell.
    if (checked.error === undefined) expect(checked).toMatchObject({ status: 0, stderr: "" });
  });

  it.each([
    ["edgeboard cl", "claim"],
    ["edgeboard board cr", "create"],
    ["edgeboard --json token re", "revoke"],
    ["edgeboard claim --wa", "--wait"],
    ["edgeboard list --status in_r", "in_review"],
    ["edgeboard completion f", "fish"],
    ["edgeboard --board b token create x --role ve", "verifier"],
  ])("in bash, %j becomes %j", async (line, word) => {
    const words = line.split(" ");
    const asked = [
      script("bash", await loadAll()),
      `COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}`,
      `_edgeboard; printf '%s\\n' "\${COMPREPLY[@]}"`,
    ].join("\n");
    expect(execFileSync("bash", ["--norc"], { input: asked, encoding: "utf8" })).toBe(`${word}\n`);
  });
});

describe("an answer", () => {
  const output = (columns: number | null, env = {}) => {
    const stdout = columns === null ? { isTTY: false } : { isTTY: true, columns };
    return new Output({ stdout, stderr: {}, stdin: {} } as unknown as Streams, false, env);
  };
  const rows = [{ name: "n1", title: "A title that is rather long, and goes on and on for a while" }];
  const columns = [
    { head: "task", cell: ({ name }: { name: string }) => name },
    { head: "title", cell: ({ title }: { title: string }) => title, gives: true },
  ];

  it.each([30, 40, 60])("fits a terminal of %i columns", async (width) => {
    const shown = await table(output(width), rows, columns);
    const plain = stripVTControlCharacters(shown).split("\n");
    expect(Math.max(...plain.map((line) => line.length))).toBeLessThanOrEqual(width);
    expect(plain.at(-1)).toMatch(/…$/);
  });

  it("is whole where nobody looks", async () => {
    expect(await table(output(null), rows, columns)).toContain("for a while");
  });

  it("has colours on a terminal only, and none with NO_COLOR", () => {
    expect(output(80).colors.red("x")).not.toBe("x");
    expect(output(80, { NO_COLOR: "1" }).colors.red("x")).toBe("x");
    expect(output(80, { TERM: "dumb" }).colors.red("x")).toBe("x");
    expect(output(null).colors.red("x")).toBe("x");
  });

  it("does not let a title steer the terminal", () => {
    expect(oneLine("a\u001b[2Jb\nc\u202ed\u0007")).toBe("a\ufffd[2Jb c\ufffdd\ufffd");
  });
});

it("what is built has no schemas in it but where the runner reads reports, and no command loads a table it does not show", {
  timeout: 30_000,
}, async () => {
  const folder = join(program.folder, "cli");
  const texts = readdirSync(folder)
    .filter((name) => name.endsWith(".js"))
    .map((name) => [name, readFileSync(join(folder, name), "utf8")] as const);
  expect(texts.filter(([, text]) => text.includes("ZodError")).map(([name]) => name)).toEqual([
    expect.stringMatching(/^work-/),
  ]);
  const entry = texts.find(([name]) => name === "edgeboard.js")?.[1] ?? "";
  expect(entry).not.toContain("colWidths");
});
