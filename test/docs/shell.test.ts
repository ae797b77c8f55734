/** The shell that pages are pasted into lets nothing pass that a reader would stumble over. */
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { commandsOf } from "./commands.ts";
import { kindOf, saysOf } from "./marks.ts";
import { blocksOf } from "./pages.ts";
import { Shell } from "./shell.ts";

const shells: Shell[] = [];
let shell: Shell;

beforeEach(() => {
  shell = new Shell("/", { PATH: process.env["PATH"] ?? "", LANG: "C.UTF-8" });
  shells.push(shell);
});
afterAll(() => Promise.all(shells.map((each) => each.end())));

describe("a block fails", () => {
  it.each([
    ["by its last command", "true\nfalse"],
    ["by one in the middle", "false\ntrue"],
    ["by what stands before an and", "false && true"],
    ["by the head of a pipe", "false | cat"],
    ["by what is substituted", "found=$(false | cat)"],
    ["by a program that is not there", "no-such-program --help"],
    ["by a function that fails", "f() { return 3; }\nf | cat"],
  ])("%s", async (_how, text) => {
    await expect(shell.paste(text)).rejects.toThrow(/ended with [1-9]/);
  });

  it("by a variable that nobody has set", async () => {
    await expect(shell.paste('echo "$NOBODY_HAS_SET_THIS"')).rejects.toThrow(/unbound variable/);
  });
});

describe("a block passes", () => {
  it("with functions, here-documents and lines that go on, and leaves what it set to the next", async () => {
    await shell.paste("f() {\n  cat <<'END'\nnaïve: $HOME && false\nEND\n}\nname=$(f) \\\n  && other=1");
    expect(await shell.paste('echo "$name, $other"')).toBe("naïve: $HOME && false, 1\n");
  });

  it("that never ends, once it has said what it says", async () => {
    await shell.begin("while echo still here; do sleep 1; done", "still here");
    expect(await shell.paste("echo next")).toContain("next");
  });
});

it("a block is taken apart into whole commands, comments left out", () => {
  expect(
    commandsOf("# why\na 'b\nc' # d\n\nfor x in 1; do\n  echo $x\ndone\ncat <<E\nx\nE\ne |\n  f"),
  ).toEqual(["a 'b\nc' # d", "for x in 1; do\n  echo $x\ndone", "cat <<E\nx\nE", "e |\n  f"]);
  expect(() => commandsOf("echo 'a")).toThrow(/never ends/);
});

it("a mark is what stands directly above its block, and only ours counts", () => {
  const text =
    "<!-- needs an agent -->\n```sh\na\n```\n<!-- runs for ever: says Up -->\n```sh\nb\n```\n<!-- later -->\n```sh\nc\n```\n";
  const blocks = blocksOf("page.md", text);
  expect(blocks.map(({ line, text: code }) => [line, code])).toEqual([
    [3, "a"],
    [7, "b"],
    [11, "c"],
  ]);
  expect(blocks.map((block) => [kindOf(block), saysOf(block)])).toEqual([
    ["needs an agent", null],
    ["runs for ever", "Up"],
    [null, null],
  ]);
});
