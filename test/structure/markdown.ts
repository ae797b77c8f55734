/** Tables of our documents, for tests that hold them against the code. */
import { textOf } from "./source.ts";

export interface Table {
  /** The nearest heading above it, and the one of the second level. */
  heading: string;
  section: string;
  /** What its columns are called. */
  header: string[];
  rows: string[][];
}

export function tablesOf(path: string): Table[] {
  const tables: Table[] = [];
  let [section, heading] = ["", ""];
  let open: Table | null = null;
  for (const line of textOf(path).split("\n")) {
    const title = /^(#+) (.*)$/.exec(line);
    if (title !== null) heading = bare(title[2] as string);
    if (title?.[1] === "##") section = heading;
    if (!line.startsWith("|")) open = null;
    else if (open === null) {
      open = { section, heading, header: cellsOf(line), rows: [] };
      tables.push(open);
    } else if (!/^[|\s-]+$/.test(line)) open.rows.push(cellsOf(line));
  }
  return tables;
}

/** The rows of every table in a section whose first column has this name. */
export function rowsOf(tables: readonly Table[], section: string, first: string): string[][] {
  return tables
    .filter((table) => table.section === section && table.header[0] === first)
    .flatMap(({ rows }) => rows);
}

const cellsOf = (line: string): string[] =>
  line
    .slice(1, line.lastIndexOf("|"))
    .split("|")
    .map((cell) => cell.trim());

/** A cell that is one word of code, without its quotes. */
export const bare = (cell: string): string => /^`([^`]*)`$/.exec(cell)?.[1] ?? cell;
