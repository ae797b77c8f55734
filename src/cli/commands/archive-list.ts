import type { Answer } from "../../client/calls.ts";
import { command } from "../command.ts";
import { table } from "../table.ts";
import { ago, bytes } from "../words.ts";

type Row = Answer<"listArchives">["archives"][number];

export default command({
  summary: "List what was put away of the board, oldest first",
  examples: [
    ["edgeboard archive list", "of the board of this token"],
    ["edgeboard archive list --board demo", "for the operator, also when it was deleted"],
  ],
  async run({ board, output }) {
    const archives: Row[] = [];
    let page = await board.archives.list({ limit: 200 });
    for (;;) {
      archives.push(...page.archives);
      if (page.nextCursor === null) break;
      page = await board.archives.list({ limit: 200, cursor: page.nextCursor });
    }
    await output.answer({ ...page, archives }, () =>
      archives.length === 0
        ? "No archives."
        : table(output, archives, [
            { head: "archive", cell: ({ id }) => id, color: output.colors.bold },
            { head: "name", cell: ({ name }) => name, gives: true },
            { head: "size", cell: ({ bytes: size }) => bytes(size) },
            { head: "made", cell: ({ createdAt }) => ago(createdAt) },
          ]),
    );
  },
});
