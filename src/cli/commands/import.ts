import type { ImportFormat } from "../../contract/requests/imports.ts";
import { command } from "../command.ts";
import { EXIT, Misused } from "../failure.ts";
import { bringIn } from "../import-parts.ts";
import { importView } from "../import-view.ts";
import { flag, oneOf, source } from "../options.ts";
import { contentOf } from "../stdin.ts";
import { tellMasked } from "../work-words.ts";

/** The compiler holds them to the contract, without loading its schemas. */
const FORMATS = { edgeboard: true, beads: true, taskmaster: true } as const satisfies Record<
  ImportFormat,
  true
>;

export default command({
  summary: "Bring another board in: all of it or nothing",
  details: `Takes an export of Edgeboard, Beads JSONL or Task Master's tasks.json. Importing the same file again changes
nothing. What is larger than one request goes in parts by itself.`,
  args: { file: source("what to import; - is standard input") },
  options: {
    format: oneOf(
      "-f, --format <format>",
      "what it is; seen from its text otherwise",
      Object.keys(FORMATS) as ImportFormat[],
    ),
    dryRun: flag("--dry-run", "only say what would happen"),
    reset: flag("--reset", "every task comes in as todo, to run a plan again"),
  },
  examples: [
    ["edgeboard import .beads/issues.jsonl --dry-run", "what would come in?"],
    ["edgeboard import tasks.json --reset", "a plan of Task Master's, from its beginning"],
    ["edgeboard import board.ndjson", "an export of another board"],
  ],
  async run(context, { file, format, dryRun = false, reset = false }) {
    const { output } = context;
    const text = await contentOf(context, file);
    const report = await bringIn(context, text, { format: format ?? formatOf(text), dryRun, reset });
    await output.answer(report, () => importView(report, dryRun));
    tellMasked(output, report.masked);
    return report.issues.length > 0 ? EXIT.failed : EXIT.ok;
  },
});

/** By how the text begins: our header, one document, or issues line by line. */
function formatOf(text: string): ImportFormat {
  const first = text.trimStart().split("\n", 1)[0] ?? "";
  try {
    const line = JSON.parse(first) as { type?: unknown; id?: unknown };
    if (line.type === "board") return "edgeboard";
    return typeof line.id === "string" ? "beads" : "taskmaster";
  } catch {
    if (first.startsWith("{") || first.startsWith("[")) return "taskmaster";
  }
  throw new Misused("This is nothing that can be imported.", "--format says what it is meant to be.");
}
