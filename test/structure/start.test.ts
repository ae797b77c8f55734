/** What the Worker loads when it starts, and what it leaves until somebody asks for it. */
import { expect, it } from "vitest";
import { importsOf } from "./source.ts";

/** Everything a file pulls in at once, whatever `import()` may bring later, and types aside. */
function atOnce(entry: string): Set<string> {
  const reached = new Set([entry]);
  for (const path of reached)
    if (/^src\/.*\.tsx?$/.test(path))
      for (const { target, typeOnly, text } of importsOf(path))
        if (!typeOnly && !text.startsWith("import(")) reached.add(target);
  return reached;
}

const start = atOnce("src/index.ts");

it("what answers REST is there at once", () => {
  for (const path of ["hono", "zod", "src/http/mount.ts", "src/http/mcp.ts", "src/board/board.ts"])
    expect(start).toContain(path);
});

it("MCP, its library and its tools are not: whoever speaks REST never waits for them", () => {
  const loaded = [...start].filter((path) => /^src\/mcp\/|modelcontextprotocol/.test(path));
  expect(loaded).toEqual([]);
  expect(atOnce("src/mcp/endpoint.ts")).toContain("@modelcontextprotocol/server");
});

it("nor is the description of the interface", () => {
  expect(start).not.toContain("src/http/openapi.ts");
  expect(start).not.toContain("zod-openapi");
});
