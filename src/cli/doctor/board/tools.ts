/** Does the board speak MCP? */
import { count } from "../../words.ts";
import type { AtBoard, Check } from "../check.ts";
import { greet, toolNames } from "../mcp-call.ts";
import { failed, good, type Verdict } from "../verdict.ts";

/** Those without which an agent cannot work; a server that is newer may have others. */
const NEEDED = ["list_tasks", "claim_task", "heartbeat", "finish_task"];

export const tools: Check<AtBoard> = {
  name: "tools",
  async run(at) {
    // The operator's token names no board.
    const path = at.me.board === null ? `/boards/${at.id}/mcp` : "/mcp";
    const speaker = { token: at.token, path };
    await greet(at, speaker);
    return judgeTools(await toolNames(at, speaker));
  },
};

export function judgeTools(names: string[]): Verdict {
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length === 0) return good(`MCP answers, with ${count(names.length, "tool")}.`);
  return failed(`MCP answers without the tools ${missing.join(", ")}.`, "Is the Worker Edgeboard's own?");
}
