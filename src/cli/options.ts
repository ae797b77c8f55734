/** The kinds of arguments and options there are. */
import { type Argument, BadValue, type Option } from "./command.ts";

export const flag = (flags: string, about: string): Option<boolean | undefined> => ({ flags, about });

export const text = (flags: string, about: string): Option<string | undefined> => ({ flags, about });

export const texts = (flags: string, about: string): Option<string[] | undefined> => ({
  flags,
  about,
  many: true,
});

export const file = (flags: string, about: string): Option<string | undefined> => ({
  flags,
  about,
  completes: "file",
});

export const oneOf = <const T extends string>(
  flags: string,
  about: string,
  choices: readonly T[],
): Option<T | undefined> => ({ flags, about, choices });

export const someOf = <const T extends string>(
  flags: string,
  about: string,
  choices: readonly T[],
): Option<T[] | undefined> => ({ flags, about, choices, many: true });

export const whole = (
  flags: string,
  about: string,
  min = 0,
  max = Number.MAX_SAFE_INTEGER,
): Option<number | undefined> => ({
  flags,
  about,
  read: (given) => {
    const value = /^\d{1,16}$/.test(given) ? Number(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new BadValue(
      max === Number.MAX_SAFE_INTEGER
        ? `It takes a whole number from ${min} on.`
        : `It takes a whole number from ${min} to ${max}.`,
    );
  },
});

export const money = (flags: string, about: string): Option<number | undefined> => ({
  flags,
  about,
  read: (given) => {
    if (/^\d{1,9}(\.\d+)?$/.test(given)) return Number(given);
    throw new BadValue("It takes an amount in dollars, such as 2.50.");
  },
});

const UNITS: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800 };

function secondsOf(given: string): number | null {
  const match = /^(\d{1,9})([smhdw])$/.exec(given);
  return match === null ? null : Number(match[1]) * (UNITS[match[2] as string] as number);
}

/** A span such as 90s, 15m, 2h, 7d; the value is in seconds. */
export const span = (flags: string, about: string): Option<number | undefined> => ({
  flags,
  about,
  read: (given) => {
    const seconds = secondsOf(given);
    if (seconds !== null) return seconds;
    throw new BadValue("It takes a span such as 90s, 15m, 2h or 7d.");
  },
});

/** A moment: a date, or a span from now. The value is epoch milliseconds. */
export const moment = (flags: string, about: string): Option<number | undefined> => ({
  flags,
  about,
  read: (given) => {
    const seconds = secondsOf(given.replace(/^\+/, ""));
    const at = seconds === null ? Date.parse(given) : Date.now() + seconds * 1_000;
    if (Number.isFinite(at) && at >= 0) return at;
    throw new BadValue("It takes a time such as 2027-01-31T08:00Z, or a span from now such as 2h.");
  },
});

/** `none` for a field that is to be emptied. */
export const orNone = <T>(option: Option<T>): Option<T | null> => ({
  ...option,
  about: `${option.about}; none clears it`,
  read: (given) => (given === "none" ? null : option.read === undefined ? given : option.read(given)),
});

/** `n12`, `12` and `#12` are one task; anything else is an id. */
export function taskId(given: string): string {
  const number = /^[n#]?(\d{1,15})$/i.exec(given)?.[1];
  if (number !== undefined) return `n${Number(number)}`;
  if (/^[\w.:-]{1,64}$/.test(given)) return given;
  throw new BadValue("A task is n and its number, such as n12, or its id.");
}

export const taskOption = (flags: string, about: string): Option<string | undefined> => ({
  flags,
  about,
  read: taskId,
});

export const tasksOption = (flags: string, about: string): Option<string[] | undefined> => ({
  ...texts(flags, about),
  read: taskId,
});

export const word = (about: string): Argument<string> => ({ about, optional: false });

export const optional = <T>(argument: Argument<T>): Argument<T | undefined> => ({
  ...argument,
  optional: true,
});

export const choice = <const T extends string>(about: string, choices: readonly T[]): Argument<T> => ({
  about,
  optional: false,
  choices,
});

export const task: Argument<string> = {
  about: "the task: n and its number, or its id",
  optional: false,
  read: taskId,
};

/** `-` is standard input. */
export const source = (about: string): Argument<string> => ({ about, optional: false, completes: "file" });
