/** One call of one tool: role, arguments, the board, and the answer in both forms that clients read. */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { type Refusal, type Result, refuse } from "../contract/result.ts";
import { failureOf } from "../http/stub-failure.ts";
import { parse } from "../http/validate.ts";
import { includesRole } from "../rules/roles.ts";
import { tellRefusal } from "./refusal.ts";
import type { Session } from "./session.ts";
import type { Tool } from "./tool.ts";

export async function callTool(session: Session, tool: Tool, given: unknown): Promise<CallToolResult> {
  session.note.tool(tool.name);
  const result = await run(session, tool, given);
  if (!result.ok) {
    session.note.refused(result.reason);
    return { content: [{ type: "text", text: tellRefusal(result) }], isError: true };
  }
  // Clients read one or the other, so both say everything.
  const structuredContent = result.value as Record<string, unknown>;
  return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
}

async function run(session: Session, tool: Tool, given: unknown): Promise<Result<object>> {
  const refusal = roleTooSmall(session, tool);
  if (refusal !== null) return refusal;
  const input = parse(tool.input, given);
  if (!input.ok) return input;
  try {
    return await tool.run(session, input.value as never);
  } catch (error) {
    return failureOf(error, session.requestId);
  }
}

function roleTooSmall({ caller }: Session, { routes }: Tool): Refusal | null {
  const missing = routes.find(({ role }) => role !== null && !includesRole(caller.role, role));
  return missing === undefined
    ? null
    : refuse("forbidden", `This needs the role ${missing.role} or above; your token's is ${caller.role}.`, {
        hint: "Ask a lead, or use a token of that role.",
      });
}
