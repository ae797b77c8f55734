/** What every client pays for, and what some of them choke on: the list of tools itself. */
import { expect, it } from "vitest";
import { describeTools, TOOLS } from "../../src/mcp/tools.ts";

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
const tools = describeTools();

/** Every schema inside a schema, with the path to it. */
function* schemasIn(value: unknown, path: string): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Record<string, unknown>];
  for (const [name, inner] of Object.entries(value)) yield* schemasIn(inner, `${path}.${name}`);
}

it("there are nine, in an order that stays", () => {
  expect(tools.map(({ name }) => name)).toEqual([
    "list_tasks",
    "get_task",
    "create_task",
    "claim_task",
    "heartbeat",
    "update_task",
    "finish_task",
    "review_task",
    "add_comment",
  ]);
});

it("the list is under 16 KB, and no tool over 2.5 KB", () => {
  expect(bytes({ tools })).toBeLessThanOrEqual(16_000);
  for (const tool of tools) expect([tool.name, bytes(tool) <= 2_500]).toEqual([tool.name, true]);
});

it.each(tools.map((tool) => [tool.name, tool] as const))("%s tells all that clients go by", (_name, tool) => {
  const { title, ...hints } = tool.annotations ?? {};
  expect(title).toBe(tool.title);
  expect(Object.keys(hints).toSorted()).toEqual([
    "destructiveHint",
    "idempotentHint",
    "openWorldHint",
    "readOnlyHint",
  ]);
  expect(hints).toMatchObject({ destructiveHint: false, openWorldHint: false });
  expect(tool.inputSchema.type).toBe("object");
  expect(tool.outputSchema?.["type"]).toBe("object");
  expect(tool.inputSchema["additionalProperties"]).toBe(false);
  expect(tool.name).toMatch(/^[a-z_]{1,64}$/);
});

it("only what reads says that it reads", () => {
  expect(tools.filter((tool) => tool.annotations?.readOnlyHint).map(({ name }) => name)).toEqual([
    "list_tasks",
    "get_task",
  ]);
  expect(TOOLS.filter(({ reads, routes }) => reads && routes.some(({ role }) => role !== "viewer"))).toEqual(
    [],
  );
});

it("no schema has what some clients refuse: unions, references, several types", () => {
  const strays = tools.flatMap((tool) =>
    [...schemasIn(tool.inputSchema, tool.name), ...schemasIn(tool.outputSchema, tool.name)].filter(
      ([, schema]) =>
        ["oneOf", "anyOf", "allOf", "not", "$ref", "$defs"].some((word) => word in schema) ||
        Array.isArray(schema["type"]),
    ),
  );
  expect(strays).toEqual([]);
});

it("inputs are flat: beside one list of checks, nothing in them is an object", () => {
  const objects = tools.flatMap((tool) =>
    [...schemasIn(tool.inputSchema, tool.name)].filter(([, schema]) => schema["type"] === "object"),
  );
  expect(objects.map(([path]) => path).filter((path) => path.includes("."))).toEqual([
    "review_task.properties.checks.items",
  ]);
});
