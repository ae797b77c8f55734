/**
 * Why a block of shell is not simply run. The mark stands in a comment directly above the block:
 *
 *   needs an account       of Cloudflare
 *   needs an agent         Claude Code or another one, installed and paid for
 *   runs for ever: says X  it is started, has to say X, and ends with the page
 *
 * A block of `console` is for another machine, and for its root. Whoever marks a block counts it here too, so that none
 * is hidden.
 */
import type { Block } from "./pages.ts";

const NOT_RUN = ["needs an account", "needs an agent"];

export const MARKED: Record<string, Record<string, number>> = {
  "README.md": { "runs for ever": 1 },
  "docs/archives.md": { "needs an account": 1 },
  "docs/cli.md": { "runs for ever": 1 },
  "docs/connect.md": { "needs an agent": 1 },
  "docs/operations.md": { "needs an account": 6 },
  "docs/self-host.md": { "another machine": 1 },
  "docs/start-agent-author.md": { "needs an agent": 1, "runs for ever": 1 },
  "docs/start-operator.md": { "needs an account": 2, "runs for ever": 1 },
  "docs/start-team-lead.md": { "runs for ever": 2 },
  "docs/work.md": { "needs an agent": 2 },
};

/** What a block that runs for ever has to say; null for any other. */
export const saysOf = ({ mark }: Block): string | null =>
  /^runs for ever: says (.+)$/.exec(mark ?? "")?.[1] ?? null;

/** The kind of a mark, and null for what is no mark of ours. */
export function kindOf(block: Block): string | null {
  if (block.language === "console") return "another machine";
  if (saysOf(block) !== null) return "runs for ever";
  return NOT_RUN.find((mark) => mark === block.mark) ?? null;
}

export const isRun = (block: Block): boolean =>
  block.language !== "console" && !NOT_RUN.includes(block.mark ?? "");
