/** How far the workers are: a bar on a terminal, plain lines for whoever reads along through a pipe. */
import bar from "cli-progress";
import type { Tally } from "./crew.ts";

export interface Progress {
  update: (done: number, tally: Tally) => void;
  /** Something worth a line of its own. */
  note: (text: string) => void;
  stop: () => void;
}

export function showProgress(total: number): Progress {
  return process.stdout.isTTY ? showBar(total) : showLines(total);
}

function showBar(total: number): Progress {
  const notes: string[] = [];
  const shown = new bar.SingleBar(
    {
      format: "  {bar} {value}/{total} done · claims {claims} · conflicts {conflicts} · killed {killed}",
      stream: process.stdout,
      barsize: 28,
      hideCursor: true,
    },
    bar.Presets.shades_classic,
  );
  shown.start(total, 0, { claims: 0, conflicts: 0, killed: 0 });
  return {
    update: (done, { claims, conflicts, kills }) =>
      shown.update(done, { claims, conflicts, killed: kills.length }),
    // A line in between would tear the bar: they are told below it.
    note: (text) => notes.push(text),
    stop: () => {
      shown.stop();
      for (const note of notes) console.log(`  ${note}`);
    },
  };
}

function showLines(total: number): Progress {
  const startedAt = Date.now();
  const step = Math.max(1, total / 20);
  let shownDone = 0;
  let shownAt = startedAt;
  const line = (text: string) =>
    console.log(`${((Date.now() - startedAt) / 1_000).toFixed(1).padStart(6)} s  ${text}`);
  return {
    update: (done, { claims, conflicts }) => {
      const isNews = done - shownDone >= step || (done === total && shownDone < total);
      if (!isNews && Date.now() - shownAt < 1_000) return;
      shownDone = done;
      shownAt = Date.now();
      const percent = Math.floor((100 * done) / total);
      line(
        `${String(percent).padStart(3)} %  ${done}/${total} done · claims ${claims} · conflicts ${conflicts}`,
      );
    },
    note: line,
    stop: () => {},
  };
}
