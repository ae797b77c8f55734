/** What was found, a line for each check, and all of it in one. */
import { type Output, oneLine } from "../output.ts";
import { count } from "../words.ts";
import type { Finding } from "./round.ts";
import type { State } from "./verdict.ts";

const STATE_WIDTH = 9;
const NAME_WIDTH = 11;

export function findingLine(
  { check, state, detail, next }: Finding,
  { colors }: Pick<Output, "colors">,
): string {
  const color = { ok: colors.green, warning: colors.yellow, failed: colors.red, skipped: colors.dim }[state];
  // What a stranger answered may be in it.
  const words = [oneLine(detail), next === undefined ? "" : colors.dim(oneLine(next))];
  return `${color(state.padEnd(STATE_WIDTH))}${check.padEnd(NAME_WIDTH)}${words.join(" ").trimEnd()}`;
}

export function summaryLine(findings: Finding[], stopped: boolean): string {
  const many = (state: State): number => findings.filter((finding) => finding.state === state).length;
  const words = [
    `${many("ok")} good`,
    many("warning") === 0 ? "" : count(many("warning"), "warning"),
    many("failed") === 0 ? "" : `${many("failed")} failed`,
    many("skipped") === 0 ? "" : `${many("skipped")} skipped`,
  ];
  const all = words.filter((word) => word !== "").join(", ");
  return stopped ? `${all}; stopped before the end.` : `${all}.`;
}
