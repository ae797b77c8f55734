/** How a long text is cut. */
import { describe, expect, it } from "vitest";
import { beginningOf } from "../../src/web/ui/clamp.ts";

describe("the beginning of a text", () => {
  it("is all of it where little is left out", () => {
    expect(beginningOf("short")).toBeNull();
    expect(beginningOf("x".repeat(1_300))).toBeNull();
    expect(beginningOf(`${"line\n".repeat(15)}end`)).toBeNull();
    expect(beginningOf("line\n".repeat(16))).toBeNull();
  });

  it("ends with a line, or with a word", () => {
    expect(beginningOf("line\n".repeat(40), 1_200, 3)).toBe("line\nline\nline");
    expect(beginningOf("word ".repeat(1_000), 23)).toBe("word word word word");
  });

  it("never ends with half of a sign", () => {
    const cut = beginningOf("👍".repeat(400), 101);
    expect(cut).toBe("👍".repeat(50));
  });
});
