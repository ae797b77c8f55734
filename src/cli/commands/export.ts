import { command } from "../command.ts";
import { file } from "../options.ts";
import { saveExport } from "../save-export.ts";

export default command({
  summary: "Write the whole board as lines of JSON",
  options: { out: file("-o, --out <file>", "where to; standard output otherwise") },
  examples: [
    ["edgeboard export -o board.ndjson", "a copy, whole or not at all"],
    ["edgeboard export | gzip > board.ndjson.gz", "through a pipe"],
    ["edgeboard export | edgeboard import - --board other", "onto another board"],
  ],
  async run({ board, output }, { out }) {
    await saveExport(output, await board.export(), out);
  },
});
