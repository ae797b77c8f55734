import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { SEARCH_PIECES_MAX } from "../../src/contract/limits.ts";
import { fold, indexQuery, isIndexed, missingIn, readTerms, spellings } from "../../src/rules/search.ts";

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: fc.constantFrom(..."aAbB \"'*-:()^+\t\n\u3000猫é\u0301👩\u200d🚀"), maxLength: 40 }),
);

describe("a text is read", () => {
  it.each<[string, string[]]>([
    ["", []],
    [" \t\r\n\u00a0\u3000", []],
    ["lease", ["lease"]],
    ["  lease   token ", ["lease", "token"]],
    ["lease\u3000token\u00a0beat", ["lease", "token", "beat"]],
    ["to lease", ["lease", "to"]],
    ["lease lease", ["lease"]],
    ["a lease", ["lease"]],
    ["a lEASE", ["lEASE", "a"]],
    ['AND OR "NOT" NEAR( title: -x *', ["title:", '"NOT"', "NEAR(", "AND", "OR", "-x", "*"]],
  ])("%j as %j", (text, terms) => {
    expect(readTerms(text)).toEqual(terms);
  });

  it("into terms that have no white space, of which none lies within another, and which lose nothing", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const terms = readTerms(text);
        for (const term of terms) expect(term).toMatch(/^\S+$/u);
        for (const a of terms) for (const b of terms) if (a !== b) expect(a.includes(b)).toBe(false);
        for (const word of text.split(/\s+/u))
          expect(terms.some((term) => term.includes(word)) || word === "").toBe(true);
        expect(readTerms(terms.join(" "))).toEqual(terms);
      }),
      { numRuns: 2_000, seed: 20_33 },
    );
  });
});

describe("a term", () => {
  it("can be asked for from three characters on, however they are stored", () => {
    for (const term of ["abc", "日本語", "👩\u200d🚀", "e\u0301a"]) expect(isIndexed(term)).toBe(true);
    for (const term of ["", "a", "ab", "日本", "🚀🚀", "e\u0301"]) expect(isIndexed(term)).toBe(false);
  });

  it("is asked for by its pieces", () => {
    expect(indexQuery("lease")).toBe('"lea" AND "eas" AND "ase"');
    expect(indexQuery("日本語")).toBe('"日本語"');
    expect(indexQuery("aaaaaa")).toBe('"aaa"');
  });

  it('is quoted whatever it holds: "', () => {
    expect(indexQuery('"a"')).toBe('"""a"""');
    expect(indexQuery("NEAR(")).toBe('"NEA" AND "EAR" AND "AR("');
  });

  it("is asked for by well-formed pieces that all lie within it, the first and the last among them", () => {
    const long = anyText.filter((text) => text.isWellFormed() && isIndexed(text));
    fc.assert(
      fc.property(long, (term) => {
        const query = indexQuery(term);
        expect(query).toMatch(/^"(?:[^"]|"")+"(?: AND "(?:[^"]|"")+")*$/u);
        const pieces =
          query.match(/"(?:[^"]|"")+"/gu)?.map((piece) => piece.slice(1, -1).replaceAll('""', '"')) ?? [];
        const points = [...term];
        expect(pieces.length).toBeLessThanOrEqual(SEARCH_PIECES_MAX);
        for (const piece of pieces) expect([[...piece].length, term.includes(piece)]).toEqual([3, true]);
        expect(pieces).toContain(points.slice(0, 3).join(""));
        expect(pieces).toContain(points.slice(-3).join(""));
      }),
      { numRuns: 2_000, seed: 20_34 },
    );
  });

  it("of a thousand characters is asked for by a few pieces", () => {
    const term = Array.from({ length: 1_000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join("");
    expect(indexQuery(term).split(" AND ")).toHaveLength(SEARCH_PIECES_MAX);
  });

  it("that is short may stand in the index as written, or in lower case by way of either case", () => {
    expect(spellings("Ab")).toEqual(["Ab", "ab"]);
    expect(spellings("猫")).toEqual(["猫"]);
    expect(spellings("µs")).toContain("μs");
    expect(spellings("ς")).toContain("σ");
    expect(spellings("\uffff")).toEqual(["\ufffd"]);
  });
});

describe("a text", () => {
  it("holds a term in any case", () => {
    expect(missingIn("The LEASE of Ünal's ΟΔΟΣ", ["lease", "ünal's", "οδοσ", "token"])).toEqual(["token"]);
    expect(fold("ΟΔΟΣ οδος")).toBe("οδοσ οδοσ");
  });

  it("holds it as it is only: composed and decomposed letters are different texts", () => {
    expect(missingIn("caf\u00e9", [fold("cafe\u0301")])).toEqual(["cafe\u0301"]);
    expect(missingIn("caf\u00e9", ["cafe"])).toEqual(["cafe"]);
  });

  it("holds every piece of itself, in whatever case", () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (text, a, b) => {
        const points = [...text];
        const piece = points.slice(a % (points.length + 1), (a % (points.length + 1)) + (b % 9)).join("");
        expect(missingIn(text, [fold(piece)])).toEqual([]);
      }),
      { numRuns: 2_000, seed: 20_35 },
    );
  });
});
