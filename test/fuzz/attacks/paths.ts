/** Boards named in ways that should lead nowhere, or only where they belong. */
import { ask, must } from "../scene.ts";
import type { Json } from "../wire.ts";
import { type Attack, bearer, tried } from "./attack.ts";

const REFUSED = [400, 401, 403, 404, 405, 414];

/** Ways to write what is no board of ours, or to get from one to the other. */
const waysTo = (own: string, other: string): string[] => [
  ...[
    other,
    other.toUpperCase(),
    `%66${other.slice(1)}`,
    `${other}%00`,
    `${other}%20`,
    `${other};x`,
    `${other}%2f`,
  ],
  ...[
    `${own}/../${other}`,
    `${own}/%2e%2e/${other}`,
    `${own}/..%2f${other}`,
    `${own}%2f..%2f${other}`,
    `.//${other}`,
  ],
  ...[
    `%252e%252e%252f${other}`,
    `${own}%2c${other}`,
    `${own}?board=${other}`,
    `${own}#/../${other}`,
    `*`,
    "%2a",
  ],
  ...[
    "..",
    "%2e%2e",
    "%2e",
    "%00",
    "%",
    "%zz",
    "%ff",
    "%c0%ae%c0%ae",
    "",
    "__proto__",
    "constructor",
    "%F0%9F%98%80",
  ],
  ...[
    "-a",
    "a_b",
    "a.b",
    "A",
    "a".repeat(64),
    "a".repeat(6_000),
    "%D1%84",
    "\\..\\",
    "%5c..%5c",
    "directory",
  ],
];

export const PATHS: Attack[] = [
  {
    name: "no way of writing a path leads a token to another board",
    act: async ({ deployment, own, other }) => {
      const faults: string[] = [];
      for (const way of waysTo(own.board, other.board))
        for (const below of ["", "/tasks", "/export", "/events"]) {
          const target = `/api/v1/boards/${way}${below}`;
          const { status, text } = await tried(deployment, "GET", "", bearer(own.tokens.lead), undefined, {
            target,
          });
          // What is only another way to write one's own board is that board.
          const mine = text.includes(own.canary) && !text.includes(other.canary);
          if (text.includes(other.canary)) faults.push(`${target} tells of the other board`);
          else if (!REFUSED.includes(status) && !mine && !(status === 200 && way.includes("?")))
            faults.push(`${target}: ${status}`);
        }
      return faults;
    },
  },
  {
    name: "nothing that is no id ever becomes a board, not even for the operator",
    act: async ({ deployment, own, other }) => {
      const faults: string[] = [];
      const ids = async () =>
        (await must(deployment, "GET", "/boards?limit=200")).boards.map(({ id }: Json) => id);
      const before = await ids();
      const isOurs = (way: string) => [own, other].some(({ board }) => decoded(way).includes(board));
      const strange = waysTo(own.board, other.board).filter((way) => !isOurs(way));
      for (const way of strange) {
        const target = `/api/v1/boards/${way}/tasks`;
        const headers = bearer(own.operatorToken);
        const { status } = await tried(deployment, "POST", "", headers, { title: "x" }, { target });
        if (!REFUSED.includes(status)) faults.push(`POST ${target.slice(0, 80)}: ${status}`);
        const named = await ask(deployment, "POST", "/boards", { id: decoded(way), name: "strange" });
        if (named.status === 201 && !/^[a-z0-9][a-z0-9-]{0,62}$/.test(decoded(way)))
          faults.push(`a board was made with the id ${decoded(way)}`);
        if (named.status === 201) await must(deployment, "DELETE", `/boards/${way}?confirm=${way}`);
      }
      const after = await ids();
      if (after.join() !== before.join())
        faults.push(`there were ${before.length} boards, now ${after.length}`);
      return faults;
    },
  },
];

function decoded(way: string): string {
  try {
    return decodeURIComponent(way);
  } catch {
    return way;
  }
}
