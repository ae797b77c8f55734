/** Do the answers tell a browser what it must not do with them? */
import type { AtServer, Check } from "../check.ts";
import { isSecure } from "../place.ts";
import { failed, good, type Verdict } from "../verdict.ts";
import { ask } from "../wire.ts";

const WANTED: Record<string, RegExp> = {
  "content-security-policy": /frame-ancestors '(?:none|self)'/,
  "x-content-type-options": /^nosniff$/,
  "referrer-policy": /^(?:no-referrer|same-origin|strict-origin)/,
};
const SECURE: Record<string, RegExp> = { "strict-transport-security": /max-age=[1-9]/ };

export const headers: Check<AtServer> = {
  name: "headers",
  run: async (at) => judgeHeaders((await ask(at, "/healthz")).headers, isSecure(at.url)),
};

export function judgeHeaders(given: Headers, secure: boolean): Verdict {
  const missing = missingOf(given, secure ? { ...WANTED, ...SECURE } : WANTED);
  if (missing.length === 0) return good("Answers carry the headers that protect browsers.");
  return failed(
    `Answers come without ${missing.join(", ")}.`,
    "Something between takes them away, or the Worker is not Edgeboard's own.",
  );
}

/** The page's own need no word on TLS: the first call of the page says it. */
export const missingOfPage = (given: Headers): string[] => missingOf(given, WANTED);

const missingOf = (given: Headers, wanted: Record<string, RegExp>): string[] =>
  Object.entries(wanted)
    .filter(([name, value]) => !value.test(given.get(name) ?? ""))
    .map(([name]) => name);
