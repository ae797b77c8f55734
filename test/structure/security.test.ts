/** SECURITY.md promises nothing that no test holds. */
import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { tablesOf } from "./markdown.ts";
import { ROOT, textOf } from "./source.ts";

const PROOF = /\[([^\]]+)\]\((test\/[^)]+\.test\.ts)\)/g;

it("every proof it names is the title of a test in that file", () => {
  const proofs = [
    ...textOf("SECURITY.md")
      .replace(/\s*\n\s+/g, " ")
      .matchAll(PROOF),
  ];
  expect(proofs.length).toBeGreaterThan(30);
  const strays = proofs.filter(
    ([, title = "", path = ""]) => !existsSync(`${ROOT}/${path}`) || !textOf(path).includes(`"${title}"`),
  );
  expect(strays.map(([proof]) => proof)).toEqual([]);
});

it("every attack has a defence, and every defence a proof", () => {
  const [attacks] = tablesOf("SECURITY.md").filter(
    ({ section }) => section === "Who attacks, and what holds",
  );
  expect(
    attacks?.rows.filter(([, defence = "", proof = ""]) => defence === "" || proof.search(PROOF) !== 0),
  ).toEqual([]);
  expect(attacks?.rows.length).toBeGreaterThan(30);
});
