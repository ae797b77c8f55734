/** Where the documents link to: a file that is there, and a heading that is in it. */
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { filesBelow, ROOT, textOf } from "./source.ts";

const DOCUMENTS = ["README.md", "AGENTS.md", "CHANGELOG.md", "SECURITY.md", ...filesBelow("docs")].filter(
  (path) => path.endsWith(".md") && existsSync(join(ROOT, path)),
);

/** What is in code, in a line or in a block, links to nothing. */
const proseOf = (path: string): string =>
  textOf(path)
    .replace(/^ *```[\s\S]*?^ *```$/gm, "")
    .replace(/`[^`\n]*`/g, "");

interface Link {
  to: string;
  heading: string | undefined;
}

function linksOf(document: string): Link[] {
  const text = proseOf(document);
  const named = [...text.matchAll(/^\[[^\]]+\]: (\S+)$/gm), ...text.matchAll(/\]\(([^)\s]+)\)/g)];
  return named
    .map(([, target]) => target as string)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path, heading] = target.split("#") as [string, string | undefined];
      return { to: path === "" ? document : posix.join(posix.dirname(document), path), heading };
    });
}

/** As it is called in an address: what GitHub makes of a heading. */
const headingsOf = (path: string): string[] =>
  [...textOf(path).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );

describe.each(DOCUMENTS)("%s", (document) => {
  it("links to what is there", () => {
    const lost = linksOf(document).filter(({ to, heading }) => {
      if (!existsSync(join(ROOT, to))) return true;
      return heading !== undefined && !headingsOf(to).includes(heading);
    });
    expect(lost).toEqual([]);
  });

  it("has names for all its links, and links for all its names", () => {
    const text = proseOf(document);
    const used = new Set([...text.matchAll(/\]\[([^\]]+)\]/g)].map(([, name]) => name));
    const given = new Set([...text.matchAll(/^\[([^\]]+)\]: /gm)].map(([, name]) => name));
    expect([...given].toSorted()).toEqual([...used].toSorted());
  });
});

it("docs/README.md leads to every document", () => {
  const led = linksOf("docs/README.md").map(({ to }) => to);
  const others = DOCUMENTS.filter((path) => path.startsWith("docs/") && path !== "docs/README.md");
  expect(others.filter((path) => !led.includes(path))).toEqual([]);
});

it("each promise of the README names tests that hold it", () => {
  const [, promises = ""] = /^## What it promises$([\s\S]*?)^## /m.exec(textOf("README.md")) ?? [];
  const each = promises.split(/^- /m).slice(1);
  expect(each.length).toBeGreaterThan(5);
  expect(each.filter((promise) => !/\]\(test\/[\w/.-]+\.ts\)/.test(promise))).toEqual([]);
});
