import { command } from "../command.ts";
import { BLOCKS, CLIENTS } from "../connect-blocks.ts";
import { choice } from "../options.ts";

export default command({
  summary: "Print what a client has to be told to work on the board",
  args: { client: choice("which client", CLIENTS) },
  examples: [
    ["edgeboard connect curl", "calls to paste into a shell"],
    ["edgeboard connect client", "a worker in TypeScript"],
  ],
  async run({ board, config, output }, { client }) {
    const place = { url: config.url, board: await board.id() };
    const text = BLOCKS[client](place);
    await output.answer({ client, ...place, text }, () => text);
  },
});
