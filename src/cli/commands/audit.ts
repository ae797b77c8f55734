import type { Answer } from "../../client/calls.ts";
import { command } from "../command.ts";
import { flag, text, whole } from "../options.ts";
import { saveExport } from "../save-export.ts";
import { type Column, table } from "../table.ts";
import { ago } from "../words.ts";

type Row = Answer<"listAudit">["entries"][number];

export default command({
  summary: "Say who used a privilege, when and on what",
  options: {
    actor: text("-a, --actor <name>", "only by this one"),
    kind: text("-k, --kind <kind>", "only this, such as displace or token_minted"),
    limit: whole("-n, --limit <n>", "so many at most (default 50)", 1, 200),
    cursor: text("--cursor <cursor>", "where the last page ended (nextCursor of --json)"),
    export: flag("--export", "all of it, oldest first, as lines of JSON"),
  },
  examples: [
    ["edgeboard audit", "the newest first"],
    ["edgeboard audit -k human_override", "what was done against a verdict"],
    ["edgeboard audit --export > audit.ndjson", "for whoever keeps it"],
  ],
  async run(context, { export: whole = false, ...query }) {
    const { board, output } = context;
    if (whole) {
      await saveExport(output, await board.exportAudit(), undefined);
      return;
    }
    const answer = await board.audit(query);
    const columns: Column<Row>[] = [
      { head: "when", cell: ({ at }) => ago(at) },
      { head: "who", cell: ({ actorId }) => actorId, color: output.colors.bold },
      { head: "what", cell: ({ kind }) => kind, color: output.colors.yellow },
      { head: "task", cell: ({ taskId }) => taskId ?? "" },
      { head: "why", cell: ({ reason }) => reason ?? "", gives: true },
    ];
    await output.answer(answer, () =>
      answer.entries.length === 0 ? "No privilege was used." : table(output, answer.entries, columns),
    );
    if (answer.hasMore) output.note(`There are more: --cursor ${answer.nextCursor}`);
  },
});
