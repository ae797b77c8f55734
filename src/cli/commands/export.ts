import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { command } from "../command.ts";
import type { Context } from "../context.ts";
import { Failure } from "../failure.ts";
import { file } from "../options.ts";
import { progress } from "../progress.ts";
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
      await copy(context, output.streams.stdout);
      return;
    }
    const draft = `${out}.part`;
    const target = createWriteStream(draft);
    try {
      const size = await copy(context, target);
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

/** Its last line says that it is whole: an answer that was broken off looks like one that ended. */
async function copy(context: Context, target: NodeJS.WritableStream): Promise<number> {
  const source = await context.board.export();
  // A bar would tear lines that go to the same terminal.
  const { output } = context;
  const seen = target === output.streams.stdout && output.streams.stdout.isTTY === true;
  const shown = seen ? null : await progress(output, "Exporting", null, bytes);
  let size = 0;
  let tail = "";
  try {
    const decoder = new TextDecoder();
    for await (const chunk of source) {
      size += chunk.byteLength;
      tail = (tail + decoder.decode(chunk, { stream: true })).slice(-1_000);
      if (!target.write(chunk)) await once(target, "drain");
      shown?.update(size);
    }
  } finally {
    shown?.stop();
  }
  const last = tail.trimEnd().split("\n").at(-1) ?? "";
  if (!last.includes('"type":"end"'))
    throw new Failure("The export was broken off, it is not whole.", "Try it again.");
  return size;
}
