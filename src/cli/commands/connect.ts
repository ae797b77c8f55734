import { command } from "../command.ts";
import { boardOf, requireToken } from "../config.ts";
import { blocksFor, CLIENTS } from "../connect-blocks.ts";
import { choice } from "../options.ts";

export default command({
  summary: "Print what a client has to be told to work on the board",
  details:
    "The token is in none of it: where a client needs it, it is read from EDGEBOARD_TOKEN or asked for.",
  args: { client: choice("which client", CLIENTS) },
  examples: [
    ["edgeboard connect claude-code", "the board as tools of an agent"],
    ["edgeboard connect rest", "calls to paste into a shell"],
    ["edgeboard connect typescript", "a worker of one's own"],
  ],
  async run({ board, config, output }, { client }) {
    const anyBoard = boardOf(requireToken(config)) === undefined;
    const blocks = blocksFor(client, { url: config.url, board: await board.id(), anyBoard });
    await output.answer({ client, blocks }, () =>
      blocks.map(({ place, text }) => `${output.colors.dim(`# ${place}`)}\n${text}`).join("\n\n"),
    );
  },
});
