/** The end of the story: what happened in numbers, and whether the board kept its word. */
import Table from "cli-table3";
import pc from "picocolors";
import type { Verdict } from "./check.ts";
import type { Tally } from "./crew.ts";

const FAULTS_SHOWN = 20;

const colors = pc.createColors(process.stdout.isTTY && pc.isColorSupported);

export function printReport(verdict: Verdict, tally: Tally, wallMs: number): void {
  const { expected, done, claims, recovered, faults } = verdict;
  const seconds = wallMs / 1_000;
  const table = new Table({ style: { head: [], border: [], compact: true }, colAligns: ["left", "right"] });
  table.push(
    ["tasks done", `${done} of ${expected}`],
    ["claims", claims],
    ["conflicts", tally.conflicts],
    ["beats", tally.beats],
    ["recovered tasks", recovered],
    ["workers killed", tally.kills.length],
    ...(tally.lost > 0 ? [["leases lost to slowness", tally.lost]] : []),
    ["wall time", `${seconds.toFixed(1)} s`],
    ["claims per second", (claims / seconds).toFixed(1)],
  );
  console.log(`\n${table.toString()}\n`);
  if (faults.length === 0) {
    console.log(
      `${colors.green("Check held")}: each task done exactly once and after its blockers, no event missing.`,
    );
    return;
  }
  console.log(`${colors.red("Check FAILED")}, faults: ${faults.length}`);
  for (const fault of faults.slice(0, FAULTS_SHOWN)) console.log(`  - ${fault}`);
  if (faults.length > FAULTS_SHOWN) console.log(`  … and ${faults.length - FAULTS_SHOWN} more`);
}
