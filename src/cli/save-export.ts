/** An export on its way out: to a file, whole or not at all, or through standard output. */
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Failure } from "./failure.ts";
import type { Output } from "./output.ts";
import { progress } from "./progress.ts";
import { bytes } from "./words.ts";

export async function saveExport(
  output: Output,
  source: ReadableStream<Uint8Array>,
  out: string | undefined,
): Promise<void> {
  if (out === undefined) {
    await copy(output, source, output.streams.stdout);
    return;
  }
  const draft = `${out}.part`;
  const target = createWriteStream(draft);
  try {
    const size = await copy(output, source, target);
    target.end();
    await once(target, "close");
    await rename(draft, out);
    await output.answer({ file: out, bytes: size }, () => `${bytes(size)} in ${out}`);
  } catch (error) {
    target.destroy();
    await rm(draft, { force: true });
    throw error;
  }
}

/** Its last line says that it is whole: an answer that was broken off looks like one that ended. */
async function copy(
  output: Output,
  source: ReadableStream<Uint8Array>,
  target: NodeJS.WritableStream,
): Promise<number> {
  // A bar would tear lines that go to the same terminal.
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
