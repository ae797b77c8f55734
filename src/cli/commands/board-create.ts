import type { Body } from "../../client/calls.ts";
import { command } from "../command.ts";
import { file, text, word } from "../options.ts";
import { contentOf, parsedJson } from "../stdin.ts";

export default command({
  summary: "Make a board; its lead token is told once",
  args: { name: word("what it is called") },
  options: {
    id: text("--id <id>", "its id; made from the name where it is not given"),
    settings: file("--settings <file>", "its settings, as JSON; - is standard input"),
  },
  examples: [
    ['edgeboard board create "Compiler"', "compiler-, and something to tell it apart"],
    ["edgeboard board create Compiler --id c1 --json", "for a script: {board, token}"],
  ],
  async run(context, { name, id, settings: path }) {
    const { server, output } = context;
    const settings =
      path === undefined
        ? undefined
        : (parsedJson(await contentOf(context, path), path) as Body<"createBoard">["settings"]);
    const answer = await server.createBoard({ name, id, settings });
    await output.answer(answer, () => `board  ${answer.board.id}\ntoken  ${answer.token}`);
    output.note("It is a lead's token, and it is not shown again.");
  },
});
