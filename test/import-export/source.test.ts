import { expect, it } from "vitest";
import { linesOf, textOf } from "../../src/import-export/source.ts";

const lines = (source: string | string[], max?: number) => [...linesOf(source, max)];

it("lines are told by their number, blank ones counted and left out", () => {
  expect(lines("a\n\n  \nb\n")).toEqual([
    { number: 1, text: "a" },
    { number: 4, text: "b" },
  ]);
});

it("wherever a source was cut, its lines are the same", () => {
  const text = 'first line\n\n{"é": "✓ 𝒳"}\nlast without an end';
  const whole = lines(text);
  for (let at = 0; at <= text.length; at++)
    for (const width of [1, 7, 100])
      expect(lines([text.slice(0, at), text.slice(at, at + width), text.slice(at + width)])).toEqual(whole);
  expect(lines([...text])).toEqual(whole);
});

it("of a line longer than any may be only the beginning is kept, and the next one is whole", () => {
  const parts = Array.from({ length: 100 }, () => "x".repeat(10));
  const [long, next] = lines([...parts, "\nnext"], 50);
  expect(long?.text.length).toBeGreaterThan(50);
  expect(long?.text.length).toBeLessThanOrEqual(70);
  expect(next).toEqual({ number: 2, text: "next" });
});

it("a source of many texts is one text for formats that are one document", () => {
  expect(textOf(["a", "", "b"])).toBe("ab");
  expect(textOf("ab")).toBe("ab");
});
