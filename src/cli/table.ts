/** Rows in columns that fit the terminal: one column gives way, and everything is whole where nobody looks. */
import { type Output, oneLine } from "./output.ts";

export interface Column<Row> {
  head: string;
  cell: (row: Row) => string | number | null | undefined;
  /** To the right, for numbers. */
  right?: boolean;
  /** The one that is cut when the terminal is too narrow. */
  gives?: boolean;
  color?: (text: string, row: Row) => string;
}

const GAP = 2;
const NARROWEST = 8;
const BORDERS = [
  ...["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left", "bottom-right"],
  ...["left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle"],
];

export async function table<Row>(
  output: Output,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): Promise<string> {
  // Not above: an answer as JSON has no use for it.
  const { default: Table } = await import("cli-table3");
  const { colors } = output;
  const used = columns.filter(({ cell }) => rows.some((row) => `${cell(row) ?? ""}` !== ""));
  const shown = new Table({
    head: used.map(({ head }) => colors.dim(head)),
    chars: Object.fromEntries(BORDERS.map((name) => [name, ""])),
    style: { "padding-left": 0, "padding-right": GAP, head: [], border: [] },
    colAligns: used.map(({ right }) => (right === true ? "right" : "left")),
    colWidths: widths(output.width, rows, used),
  });
  for (const row of rows)
    shown.push(
      used.map(({ cell, color }) => {
        const text = oneLine(String(cell(row) ?? ""));
        return color === undefined || text === "" ? text : color(text, row);
      }),
    );
  return shown
    .toString()
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n");
}

/** Every column as wide as it is, but for the one that gives: it gets what is left. */
function widths<Row>(
  width: number | null,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): (number | null)[] {
  if (width === null) return columns.map(() => null);
  const natural = columns.map(({ head, cell }) =>
    Math.max(head.length, ...rows.map((row) => oneLine(String(cell(row) ?? "")).length)),
  );
  const fixed = columns.reduce(
    (sum, { gives }, at) => sum + GAP + (gives === true ? 0 : (natural[at] as number)),
    0,
  );
  const givers = columns.filter(({ gives }) => gives === true).length;
  return columns.map(({ gives }, at) => {
    if (gives !== true) return null;
    const left = Math.max(NARROWEST, Math.floor((width - fixed) / givers));
    return (natural[at] as number) > left ? left + GAP : null;
  });
}
