import type { Answer } from "../../client/calls.ts";
import { command } from "../command.ts";
import { flag } from "../options.ts";
import { type Column, table } from "../table.ts";
import { ago, until } from "../words.ts";

type Token = Answer<"listTokens">["tokens"][number];

export default command({
  summary: "List the tokens of the board, and when each was last used",
  options: { revoked: flag("--revoked", "those that were revoked as well") },
  examples: [["edgeboard token list", "those that are good"]],
  async run({ board, output }, { revoked }) {
    const tokens: Token[] = [];
    let page = await board.listTokens({ limit: 200 });
    for (;;) {
      tokens.push(...page.tokens.filter(({ revokedAt }) => revoked === true || revokedAt === null));
      if (page.nextCursor === null) break;
      page = await board.listTokens({ limit: 200, cursor: page.nextCursor });
    }
    const columns: Column<Token>[] = [
      { head: "id", cell: ({ id }) => id },
      { head: "agent", cell: ({ agentId }) => agentId, gives: true, color: output.colors.bold },
      { head: "role", cell: ({ role }) => role },
      { head: "runtime", cell: ({ runtime }) => runtime },
      { head: "can", cell: ({ capabilities }) => capabilities.join(" ") },
      { head: "last used", cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : ago(lastUsedAt)) },
      { head: "ends", cell: endOf },
    ];
    await output.answer({ ...page, tokens }, () =>
      tokens.length === 0 ? "No tokens." : table(output, tokens, columns),
    );
  },
});

function endOf({ revokedAt, expiresAt }: Token): string {
  if (revokedAt !== null) return `revoked ${ago(revokedAt)}`;
  return expiresAt === null ? "" : until(expiresAt);
}
