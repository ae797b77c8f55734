/** The package says Node 20: nothing that it brings along calls what only a later one has. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { filesBelow, importsOf, ROOT } from "./source.ts";

const LATER =
  /\b(?:Promise\.(?:withResolvers|try)|(?:Map|Object)\.groupBy|Array\.fromAsync|RegExp\.escape)\b/g;

/** Everything that the program and the client may load, by whatever kind of import. */
const packed = new Set(["src/client/index.ts", "src/cli/edgeboard.ts", ...filesBelow("src/cli/commands")]);
for (const path of packed)
  for (const { target, typeOnly } of importsOf(path))
    if (!typeOnly && target.startsWith("src/")) packed.add(target);

it("the program and the client call nothing that Node 20 does not have", () => {
  expect(packed.size).toBeGreaterThan(100);
  const found = [...packed].flatMap((path) =>
    [...readFileSync(join(ROOT, path), "utf8").matchAll(LATER)].map(([call]) => `${path}: ${call}`),
  );
  expect(found).toEqual([]);
});
