/** The command line of the fuzz. */
import { parseArgs } from "node:util";

export const USAGE = `npm run test:fuzz -- [options]

Starts a local Edgeboard with throwaway storage, sends it what nobody should, and holds every answer against what
the interface promises. Exit code 0: nothing was found.

  --requests <n>  how many (default 20000)
  --seconds <n>   stop after this time, however many it were by then
  --seed <n>      the choices of an earlier run
  --lanes <n>     boards asked side by side (default 4)`;

export interface Arguments {
  requests: number;
  /** null: as long as it takes. */
  seconds: number | null;
  seed: number;
  lanes: number;
}

/** null: they were not understood. */
export function readArguments(given: string[]): Arguments | null {
  const whole = (text: string | undefined) =>
    text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
  try {
    const { values } = parseArgs({
      args: given,
      options: {
        requests: { type: "string", default: "20000" },
        seconds: { type: "string" },
        seed: { type: "string", default: String(Math.floor(Math.random() * 1e9)) },
        lanes: { type: "string", default: "4" },
      },
    });
    const [requests, seed, lanes] = [whole(values.requests), whole(values.seed), whole(values.lanes)];
    const seconds = values.seconds === undefined ? undefined : whole(values.seconds);
    if (requests === null || seed === null || lanes === null || lanes === 0 || seconds === null) return null;
    return { requests, seed, lanes, seconds: seconds ?? null };
  } catch {
    return null;
  }
}
