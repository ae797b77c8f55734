import { command } from "../command.ts";
import { word } from "../options.ts";

export default command({
  summary: "Delete an archive for good",
  args: { id: word("the archive") },
  examples: [["edgeboard archive delete 20270131T080000000Z-512 --board demo", "for the operator"]],
  async run({ board, output }, { id }) {
    await board.archives.delete(id);
    await output.answer({ deleted: id }, () => `${id} is gone.`);
  },
});
