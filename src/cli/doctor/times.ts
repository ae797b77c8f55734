/** How long a call takes, asked one after the other. */

const TIMES = 10;

export interface Times {
  p50: number;
  most: number;
}

export async function timed(call: () => Promise<unknown>): Promise<Times> {
  const took: number[] = [];
  for (let nth = 0; nth < TIMES; nth++) {
    const from = performance.now();
    await call();
    took.push(performance.now() - from);
  }
  return timesOf(took);
}

export function timesOf(took: number[]): Times {
  const sorted = took.toSorted((a, b) => a - b);
  return { p50: round(sorted[Math.floor((sorted.length - 1) / 2)]), most: round(sorted.at(-1)) };
}

export const inWords = ({ p50, most }: Times): string =>
  `${p50} ms (the median of ${TIMES}), at most ${most} ms`;

const round = (ms = 0): number => Math.round(ms * 10) / 10;
