/** The tools, and how `tools/list` tells of them. */
import type { Tool as Listed } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Tool } from "./tool.ts";
import { addComment } from "./tools/add-comment.ts";
import { claimTask } from "./tools/claim-task.ts";
import { createTask } from "./tools/create-task.ts";
import { finishTask } from "./tools/finish-task.ts";
import { getTask } from "./tools/get-task.ts";
import { heartbeat } from "./tools/heartbeat.ts";
import { listTasks } from "./tools/list-tasks.ts";
import { reviewTask } from "./tools/review-task.ts";
import { updateTask } from "./tools/update-task.ts";

export const TOOLS: readonly Tool[] = [
  listTasks,
  getTask,
  createTask,
  claimTask,
  heartbeat,
  updateTask,
  finishTask,
  reviewTask,
  addComment,
];

let listed: Listed[] | undefined;

/** Made once: it depends on nobody who asks. */
export function describeTools(): Listed[] {
  listed ??= TOOLS.map(describe);
  return listed;
}

function describe({ name, title, description, reads, repeats, input, output }: Tool): Listed {
  return {
    name,
    title,
    description,
    inputSchema: jsonSchema(input, "input"),
    outputSchema: jsonSchema(output, "output"),
    // Told in full: what is not told is taken for the worst. Nothing here is destructive, as rows are kept.
    annotations: {
      title,
      readOnlyHint: reads,
      destructiveHint: false,
      idempotentHint: repeats,
      openWorldHint: false,
    },
  };
}

/**
 * What a client has to know of a schema. Bounds that nobody comes near are left to the server, and answers may have
 * more in them one day than a client that kept the list has heard of.
 */
function jsonSchema(schema: z.ZodType, io: "input" | "output"): Listed["inputSchema"] {
  const { $schema: _draft, ...rest } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema: told }) => {
      delete told.minLength;
      if (told.maximum !== undefined && told.maximum >= 1e9) delete told.maximum;
      if (io === "input") return;
      delete told.additionalProperties;
      delete told.propertyNames;
    },
  });
  return rest as Listed["inputSchema"];
}
