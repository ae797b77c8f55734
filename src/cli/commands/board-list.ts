import type { Answer } from "../../client/calls.ts";
import { command } from "../command.ts";
import { table } from "../table.ts";
import { ago } from "../words.ts";

type Row = Answer<"listBoards">["boards"][number];

export default command({
  summary: "List the boards there are",
  examples: [["edgeboard board list", "for the operator"]],
  async run({ server, output }) {
    const boards: Row[] = [];
    let page = await server.listBoards({ limit: 200 });
    for (;;) {
      boards.push(...page.boards);
      if (page.nextCursor === null) break;
      page = await server.listBoards({ limit: 200, cursor: page.nextCursor });
    }
    await output.answer({ ...page, boards }, () =>
      boards.length === 0
        ? "No boards."
        : table(output, boards, [
            { head: "board", cell: ({ id }) => id, color: output.colors.bold },
            { head: "name", cell: ({ name }) => name, gives: true },
            { head: "", cell: ({ archived }) => (archived ? "archived" : ""), color: output.colors.dim },
            { head: "made", cell: ({ createdAt }) => ago(createdAt) },
          ]),
    );
  },
});
