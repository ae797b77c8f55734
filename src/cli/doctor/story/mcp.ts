/** Does an agent with a token of its own get to its work over MCP? */
import { judgeTools } from "../board/tools.ts";
import type { AtScratch, Check } from "../check.ts";
import { greet, toolNames, useTool } from "../mcp-call.ts";
import { failed, good } from "../verdict.ts";

const TITLE = "seen over MCP";

export const mcp: Check<AtScratch> = {
  name: "mcp",
  async run(at) {
    const speaker = { token: at.tokens.ann };
    await at.lead.tasks.create({ title: TITLE });
    const name = await greet(at, speaker);
    if (name !== "edgeboard") return failed(`Something else speaks MCP there: ${name}.`);
    const verdict = judgeTools(await toolNames(at, speaker));
    if (verdict.state === "failed") return verdict;
    const listed = await useTool(at, speaker, "list_tasks", { query: TITLE });
    return listed.includes(TITLE)
      ? good("An agent is greeted, has its tools, and sees the tasks of its board.")
      : failed("An agent does not see a task of its board.");
  },
};
