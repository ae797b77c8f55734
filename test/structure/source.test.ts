/** The reader of imports itself: what it overlooked, no rule would hold. */
import { expect, it } from "vitest";
import { importsOf, sourceFiles, textOf } from "./source.ts";

const read = (text: string) =>
  importsOf("src/board/operations/x.ts", text).map(({ target, typeOnly }) => [target, typeOnly]);

it.each<[string, string, boolean]>([
  ['import { a } from "../store/sql.ts";', "src/board/store/sql.ts", false],
  ["import { a } from '../context.ts'", "src/board/context.ts", false],
  ['import * as a from "../../rules/caps.ts";', "src/rules/caps.ts", false],
  ['import a, { b } from "zod";', "zod", false],
  ['import type { A } from "./y.ts";', "src/board/operations/y.ts", true],
  ['import { type A, type B } from "./y.ts";', "src/board/operations/y.ts", true],
  ['import { type A, b } from "./y.ts";', "src/board/operations/y.ts", false],
  ['import {\n  type A,\n  b,\n} from "./y.ts";', "src/board/operations/y.ts", false],
  ['export { a } from "./y.ts";', "src/board/operations/y.ts", false],
  ['export * from "./y.ts";', "src/board/operations/y.ts", false],
  ['export type { A } from "./y.ts";', "src/board/operations/y.ts", true],
  ['import "./y.css";', "src/board/operations/y.css", false],
  ['  const { a } = await import("../../http/app.ts");', "src/http/app.ts", false],
])("%j is read", (statement, target, typeOnly) => {
  expect(read(statement)).toEqual([[target, typeOnly]]);
});

it("what only looks like an import is none", () => {
  expect(read('// import { a } from "b";\nconst from = "x";\nexport const important = from;')).toEqual([]);
});

it("every import of the sources is read", () => {
  for (const path of sourceFiles()) {
    const statements = textOf(path).match(/^import\b/gm)?.length ?? 0;
    const found = importsOf(path).filter(({ text }) => /^import\b(?!\s*\()/.test(text)).length;
    expect(found, path).toBe(statements);
  }
});
