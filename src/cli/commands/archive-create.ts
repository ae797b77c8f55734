import { command } from "../command.ts";
import { bytes } from "../words.ts";

export default command({
  summary: "Put the whole board away, where the server keeps archives",
  examples: [
    ["edgeboard archive create", "the board of this token"],
    ["edgeboard archive create --board demo --json", "for a script of the operator's: {archive}"],
  ],
  async run({ board, output }) {
    const answer = await board.archives.create();
    await output.answer(answer, () => `${answer.archive.id}  ${bytes(answer.archive.bytes)}`);
  },
});
