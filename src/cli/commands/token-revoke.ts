import { command } from "../command.ts";
import { word } from "../options.ts";

export default command({
  summary: "Revoke a token; what was claimed with it is given back",
  args: { id: word("the token's id, as `token list` shows it") },
  examples: [["edgeboard token revoke 0198c4e2-…", "at once"]],
  async run({ board, output }, { id }) {
    await board.revokeToken(id);
    await output.answer({ revoked: id }, () => `${id} is revoked.`);
  },
});
