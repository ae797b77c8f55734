import { askSecret } from "../ask-secret.ts";
import { command } from "../command.ts";
import { cleanUrl, requireToken } from "../config.ts";
import type { Context } from "../context.ts";
import { EXIT, Failure } from "../failure.ts";
import { forgetLogin, writeLogin } from "../login-file.ts";
import { flag, optional, word } from "../options.ts";
import { readInput } from "../stdin.ts";

export default command({
  summary: "Keep a server and a token, so that no command has to be told",
  details: `The token is read from standard input, so that it stands in no history and no list of processes. It is tried,
and kept in a file that only you can read.`,
  args: { url: optional(word("the server; EDGEBOARD_URL or the local one otherwise")) },
  options: { forget: flag("--forget", "keep it no longer") },
  examples: [
    ["edgeboard login https://board.example", "asks for the token"],
    ["edgeboard login https://board.example < token.txt", "for a script"],
    ["edgeboard login --forget", "sign out"],
  ],
  async run(context, { url: given, forget }) {
    const { output, env } = context;
    if (forget === true) {
      const path = forgetLogin(env);
      await output.answer({ forgotten: path }, () => `${path} is gone.`);
      return;
    }
    const url = given === undefined ? context.config.url : cleanUrl(given);
    const token = requireToken({ url, token: await tokenFor(context, url), board: undefined });
    const me = await context.serverFor(url, token).me();
    const board = me.board ?? context.given.board;
    const path = writeLogin(env, { url, token, ...(board === undefined ? {} : { board }) });
    await output.answer(
      { ...me, url, file: path },
      () => `Signed in at ${url} as ${me.agentId}, ${me.role}${me.board === null ? "" : ` on ${me.board}`}.`,
    );
  },
});

async function tokenFor(context: Context, url: string): Promise<string> {
  if (context.given.token !== undefined) return context.given.token;
  const { stdin } = context.output.streams;
  const token =
    stdin.isTTY === true ? await askSecret(context, `Token for ${url}: `) : await readInput(context);
  if (token.trim() !== "") return token.trim();
  throw new Failure("There was no token.", "Pipe it in, or type it when asked.", EXIT.usage);
}
