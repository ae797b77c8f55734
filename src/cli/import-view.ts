/** What an import brought, or would bring, as people read it. */
import type { Answer } from "../client/calls.ts";
import { oneLine } from "./output.ts";
import { count } from "./words.ts";

export function importView(report: Answer<"importTasks">, dryRun: boolean): string {
  const { created, updated, unchanged, staleSkipped, edges, comments, skipped, issues } = report;
  const parts = [
    `${created} created`,
    `${updated} updated`,
    `${unchanged} unchanged`,
    ...(staleSkipped > 0 ? [`${staleSkipped} older than the board's`] : []),
    count(edges, "edge"),
    count(comments, "comment"),
  ];
  return [
    `${dryRun ? "It would be: " : ""}${parts.join(", ")}.`,
    ...skipped.map(({ ref, reason }) => `  skipped ${oneLine(ref)}: ${oneLine(reason)}`),
    ...issues.map(({ path, message }) => `  ${oneLine(path)}: ${oneLine(message)}`),
  ].join("\n");
}
