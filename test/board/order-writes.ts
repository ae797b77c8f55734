/** Every write that the order of checks is asked about. */
import { STATUSES, type Status, WHO, type Write } from "./order-of-checks.ts";

/** Each two of these together: which of two faults is told is what the order says. */
const FAULTS = [
  {},
  { stale: true },
  { displace: true },
  { stale: true, displace: true },
  { override: true },
  { override: true, stale: true, displace: true },
];
const SENT = ["no token", "its token", "a guess"] as const;

/** What may be asked for: each status, fields alone, both, and nothing. */
const CHANGES: readonly [to: Status | null, fields: readonly string[]][] = [
  ...STATUSES.map((status): [Status, string[]] => [status, []]),
  [null, []],
  [null, ["title"]],
  [null, ["title", "teamId"]],
  ["done", ["title"]],
];

const WORDS = [
  ["succeeded", "in_review"],
  ["succeeded", "done"],
  ["failed", "todo"],
  ["failed", "blocked"],
  ["failed", "in_review"],
] as const;

/** By everybody, with every token there is and whatever else may be wrong. */
export function* everyWrite(): Generator<Write> {
  const plain = { to: null, fields: [], stale: false, override: false, displace: false };
  for (const by of WHO)
    for (const sends of SENT) {
      for (const [to, fields] of CHANGES)
        for (const faults of FAULTS) yield { ...plain, by, verb: "patch", sends, to, fields, ...faults };
      for (const [outcome, to] of WORDS) yield { ...plain, by, verb: "complete", sends, outcome, to };
      yield { ...plain, by, verb: "release", sends };
    }
}
