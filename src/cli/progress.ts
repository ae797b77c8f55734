/** How far a long piece of work is: a bar for a person at a terminal, nothing for anybody else. */
import type { Output } from "./output.ts";

export interface Progress {
  update: (value: number) => void;
  stop: () => void;
}

const NOTHING: Progress = { update: () => {}, stop: () => {} };

/** `total`: null where nobody knows. Values are shown by `unit`. */
export async function progress(
  output: Output,
  label: string,
  total: number | null,
  unit: (value: number) => string = String,
): Promise<Progress> {
  if (!output.watched) return NOTHING;
  const { default: bars } = await import("cli-progress");
  const bar = new bars.SingleBar(
    {
      format: total === null ? `${label} {done}` : `${label} {bar} {done} of {all}`,
      stream: output.streams.stderr,
      barsize: 28,
      hideCursor: true,
      clearOnComplete: true,
    },
    bars.Presets.shades_classic,
  );
  bar.start(total ?? 1, 0, { done: unit(0), all: unit(total ?? 0) });
  return { update: (value) => bar.update(value, { done: unit(value) }), stop: () => bar.stop() };
}
