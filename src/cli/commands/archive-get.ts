import { command } from "../command.ts";
import { file, word } from "../options.ts";
import { saveExport } from "../save-export.ts";

export default command({
  summary: "Write an archive as the lines of JSON it is",
  args: { id: word("the archive") },
  options: { out: file("-o, --out <file>", "where to; standard output otherwise") },
  examples: [
    ["edgeboard archive get 20270131T080000000Z-512 -o board.ndjson", "a copy, whole or not at all"],
    ["edgeboard archive get 20270131T080000000Z-512 | edgeboard import - --dry-run", "what would come in?"],
  ],
  async run({ board, output }, { id, out }) {
    await saveExport(output, await board.archives.get(id), out);
  },
});
