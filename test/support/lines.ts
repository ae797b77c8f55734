/** The lines of the log, as they are written while a test looks. */
import { vi } from "vitest";

// biome-ignore lint/suspicious/noExplicitAny: lines of every shape
type Line = any;

export interface Listening {
  /** Everything written so far, by whichever level, as it stands there. */
  texts: () => string[];
  /** Those about requests since the last look. */
  requests: () => Line[];
  /** Those of this message since the last look. */
  of: (message: string) => Line[];
}

/** Until `vi.restoreAllMocks()`. */
export function listen(): Listening {
  const texts: string[] = [];
  for (const level of ["log", "warn", "error"] as const)
    vi.spyOn(console, level).mockImplementation((...words) => void texts.push(words.map(String).join(" ")));
  const looked = new Map<string, number>();
  const of = (message: string): Line[] => {
    const found = texts
      .filter((text) => text.startsWith("{"))
      .map((text) => JSON.parse(text) as { message: string })
      .filter((line) => line.message === message);
    const from = looked.get(message) ?? 0;
    looked.set(message, found.length);
    return found.slice(from);
  };
  return { texts: () => texts, requests: () => of("request"), of };
}
