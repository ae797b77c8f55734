/** The project's own text, for tests about where things stand. */
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";

export const ROOT = join(import.meta.dirname, "../..");

export interface Import {
  /** What is imported: a path from the root for our own files, the name of a package otherwise. */
  target: string;
  typeOnly: boolean;
  /** The statement, white space folded. */
  text: string;
}

/** Every file below a folder, as paths from the root, in their order. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      posix.join(folder, posix.relative(join(ROOT, folder), join(entry.parentPath, entry.name))),
    )
    .sort();
}

export const textOf = (path: string): string => readFileSync(join(ROOT, path), "utf8");

export const sourceFiles = (): string[] => filesBelow("src").filter((path) => /\.tsx?$/.test(path));

const STATEMENT = /^[ \t]*(?:import|export)\b(?:\s+type\b)?[\w\s{},*$]*?\bfrom\s*["']([^"']+)["']/gm;
const BARE = /^[ \t]*import\s*["']([^"']+)["']/gm;
const DYNAMIC = /\bimport\s*\(\s*["'`]([^"'`]+)["'`]\s*\)/g;

export function importsOf(path: string, text = textOf(path)): Import[] {
  return [STATEMENT, BARE, DYNAMIC].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([statement, target]) => ({
      target: resolve(path, target as string),
      typeOnly: isTypeOnly(statement),
      text: statement.replace(/\s+/g, " ").trim(),
    })),
  );
}

/** The code of a file, without its comments and without what stands in quotes. */
export function codeOf(path: string): string {
  return textOf(path)
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, '""');
}

function resolve(from: string, target: string): string {
  return target.startsWith(".") ? posix.join(posix.dirname(from), target) : target;
}

function isTypeOnly(statement: string): boolean {
  if (/^\s*(?:import|export)\s+type\b/.test(statement)) return true;
  const names = /\{([^}]*)\}\s*from\b/.exec(statement)?.[1];
  if (names === undefined || !/^\s*(?:import|export)\s*\{/.test(statement)) return false;
  const all = names.split(",").filter((name) => name.trim() !== "");
  return all.length > 0 && all.every((name) => /^\s*type\s/.test(name));
}
