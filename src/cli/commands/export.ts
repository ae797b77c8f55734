import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { command } from "../command.ts";
import { copyLines } from "../copy-lines.ts";
import { file } from "../options.ts";
import { bytes } from "../words.ts";

export default command({
  summary: "Write the whole board as lines of JSON",
  options: { out: file("-o, --out <file>", "where to; standard output otherwise") },
  examples: [
    ["edgeboard export -o board.ndjson", "a copy, whole or not at all"],
    ["edgeboard export | gzip > board.ndjson.gz", "through a pipe"],
    ["edgeboard export | edgeboard import - --board other", "onto another board"],
  ],
  async run(context, { out }) {
    const { output } = context;
    if (out === undefined) {
      await copyLines(output, await context.board.export(), output.streams.stdout);
      return;
    }
    const draft = `${out}.part`;
    const target = createWriteStream(draft);
    try {
      const size = await copyLines(output, await context.board.export(), target);
      target.end();
      await once(target, "close");
      await rename(draft, out);
      await output.answer({ file: out, bytes: size }, () => `${bytes(size)} in ${out}`);
    } catch (error) {
      target.destroy();
      await rm(draft, { force: true });
      throw error;
    }
  },
});
