/** Lines of JSON from a board to a file or a pipe, as fast as they are taken. */
import { once } from "node:events";
import { Failure } from "./failure.ts";
import type { Output } from "./output.ts";
import { progress } from "./progress.ts";
import { bytes } from "./words.ts";

/** How many bytes. The last line says that it is whole: an answer that was broken off looks like one that ended. */
export async function copyLines(
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
