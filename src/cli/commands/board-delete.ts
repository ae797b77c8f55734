import { createInterface } from "node:readline/promises";
import { command } from "../command.ts";
import type { Context } from "../context.ts";
import { Misused } from "../failure.ts";
import { flag, word } from "../options.ts";

export default command({
  summary: "Delete a board for good",
  args: { id: word("the board") },
  options: { yes: flag("-y, --yes", "without being asked") },
  examples: [
    ["edgeboard board delete demo", "asks for its name once more"],
    ["edgeboard board delete demo --yes", "for a script"],
  ],
  async run(context, { id, yes }) {
    if (yes !== true) await confirmed(context, id);
    await context.server.board(id).delete(id);
    await context.output.answer({ deleted: id }, () => `${id} is gone.`);
  },
});

async function confirmed({ output }: Context, id: string): Promise<void> {
  const { stdin: input, stderr } = output.streams;
  if (input.isTTY !== true || stderr.isTTY !== true)
    throw new Misused("Nobody is here to confirm that.", "Say --yes to delete it without being asked.");
  const lines = createInterface({ input, output: stderr });
  const typed = await lines.question(`Everything on ${id} is lost. Type its id to delete it: `);
  lines.close();
  if (typed.trim() !== id) throw new Misused("That is not its id.", "Nothing was deleted.");
}
