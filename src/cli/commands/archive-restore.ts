import { command } from "../command.ts";
import { EXIT } from "../failure.ts";
import { importView } from "../import-view.ts";
import { flag, text, word } from "../options.ts";

export default command({
  summary: "Bring an archive onto a board: all of it or nothing",
  details: `The board has to exist: an empty one becomes the same board again, into any other it comes as an import. The
operator may name a board that was deleted with --board, and a new one with --into.`,
  args: { id: word("the archive") },
  options: {
    into: text("--into <board>", "where to; the board it is of otherwise"),
    dryRun: flag("--dry-run", "only say what would happen"),
  },
  examples: [
    ["edgeboard archive restore 20270131T080000000Z-512 --board demo --dry-run", "what would come back?"],
    ["edgeboard archive restore 20270131T080000000Z-512 --board demo --into demo-2", "beside it"],
  ],
  async run({ board, output }, { id, into, dryRun = false }) {
    const report = await board.archives.restore(id, { into, dryRun });
    await output.answer(report, () => importView(report, dryRun));
    return report.issues.length > 0 ? EXIT.failed : EXIT.ok;
  },
});
