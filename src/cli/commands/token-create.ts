import { TOKEN_ROLES } from "../../contract/roles.ts";
import { command } from "../command.ts";
import { oneOf, span, text, texts, word } from "../options.ts";

export default command({
  summary: "Mint a token for an agent; it is told once",
  args: { agent: word("whose it is") },
  options: {
    role: oneOf("-r, --role <role>", "what it may do (default worker)", TOKEN_ROLES),
    runtime: text("--runtime <name>", "the runtime it works with"),
    can: texts("-c, --can <capability>", "what it is able to do, may be repeated"),
    expires: span("--expires <span>", "how long it is good for"),
  },
  examples: [
    ["edgeboard token create builder-1", "a worker's"],
    ["edgeboard token create ada -r verifier --expires 7d", "for a week"],
    ["export EDGEBOARD_TOKEN=$(edgeboard token create builder-1)", "only the token is on standard output"],
  ],
  async run({ board, output }, { agent: agentId, role = "worker", runtime, can: capabilities, expires }) {
    const answer = await board.mintToken({ agentId, role, runtime, capabilities, expiresInS: expires });
    await output.answer(answer, () => answer.token);
    output.note(`A ${role}'s token for ${agentId}, with the id ${answer.info.id}. It is not shown again.`);
  },
});
