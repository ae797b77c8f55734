/** What in a text of agents becomes a link. */
import { describe, expect, it } from "vitest";
import { piecesOf } from "../../src/web/ui/links.ts";

const links = (text: string) =>
  piecesOf(text).flatMap((piece) => (typeof piece === "string" ? [] : [piece.href]));

describe("an address in a text", () => {
  it.each([
    ["see https://a.example/x, please", ["https://a.example/x"]],
    ["(https://a.example/x)", ["https://a.example/x"]],
    ["https://a.example/spec(1) and so on", ["https://a.example/spec(1)"]],
    ["https://a.example/x?y=[1]", ["https://a.example/x?y=[1]"]],
    ["**https://a.example/x**", ["https://a.example/x"]],
    ["HTTP://A.EXAMPLE", ["HTTP://A.EXAMPLE"]],
    ['<a href="https://a.example">', ["https://a.example"]],
    ["http://a.example http://b.example", ["http://a.example", "http://b.example"]],
  ])("%s", (text, found) => {
    expect(links(text)).toEqual(found);
  });

  it.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "http://",
    "https://[",
    "ftp://a.example",
    "a.example",
  ])("%s is none", (text) => {
    expect(piecesOf(text)).toEqual([text]);
  });

  it("leaves every character where it was", () => {
    for (const text of [
      "",
      "a",
      "x https://a.example.",
      "https://a.example/)))\nhttps://b.example",
      "https://[",
    ])
      expect(
        piecesOf(text)
          .map((piece) => (typeof piece === "string" ? piece : piece.href))
          .join(""),
      ).toBe(text);
  });

  it("is found in no time in a text made to take long", () => {
    const start = performance.now();
    piecesOf(`https://a.example/${")".repeat(19_000)}`);
    piecesOf("https://".repeat(2_500));
    expect(performance.now() - start).toBeLessThan(500);
  });
});
