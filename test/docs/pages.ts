/** The blocks of code in our documents, each with the mark that stands directly above it. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, ROOT, textOf } from "../structure/source.ts";

export interface Block {
  page: string;
  /** Where its first line stands. */
  line: number;
  language: string;
  text: string;
  /** What the comment above it says, null where there is none. */
  mark: string | null;
}

/** What somebody reads who comes from outside. */
export const PAGES = ["README.md", "SECURITY.md", ...filesBelow("docs")].filter(
  (path) => path.endsWith(".md") && existsSync(join(ROOT, path)),
);

export function blocksOf(page: string, text = textOf(page)): Block[] {
  const blocks: Block[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, indent = "", language] = /^( *)```(\w+)$/.exec(lines[at] as string) ?? [];
    if (language === undefined) continue;
    const end = lines.indexOf(`${indent}\`\`\``, at);
    if (end < 0) throw new Error(`${page}:${at + 1} is never closed`);
    blocks.push({
      page,
      line: at + 2,
      language,
      text: lines
        .slice(at + 1, end)
        .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line))
        .join("\n"),
      mark: /^\s*<!-- (.*) -->$/.exec(lines[at - 1] ?? "")?.[1] ?? null,
    });
    at = end;
  }
  return blocks;
}

/** Every block of one of these languages, page by page. */
export const blocksIn = (...languages: string[]): Block[] =>
  PAGES.flatMap((page) => blocksOf(page)).filter(({ language }) => languages.includes(language));

export const placeOf = ({ page, line }: Block): string => `${page}:${line}`;
