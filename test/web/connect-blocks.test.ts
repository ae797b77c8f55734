/** What is pasted to connect an agent. */
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { blocksOf, exportLine, WAYS } from "../../src/web/connect/blocks.ts";

const ORIGIN = "https://board.example";

describe.each(WAYS)("the blocks of %s", (way) => {
  it("can be read as what they are, and name this page's origin", () => {
    const blocks = blocksOf(way, ORIGIN);
    expect(blocks.length).toBeGreaterThan(0);
    for (const { language, text } of blocks) {
      if (language === "json") JSON.parse(text);
      else if (language === "toml") parseToml(text);
      else expect(text).toMatch(/^(claude|curl|export) /);
      expect(text).toContain(ORIGIN);
    }
  });
});

it("a token stands in one line alone, as a shell reads it", () => {
  expect(exportLine("eyJ.abc-_1")).toBe("export EDGEBOARD_TOKEN=eyJ.abc-_1");
});
