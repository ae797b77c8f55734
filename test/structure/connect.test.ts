/** docs/connect.md has the blocks that `edgeboard connect` makes, and each of them is what its client can read. */
import { execFileSync } from "node:child_process";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import {
  CONNECT_CLIENTS,
  type ConnectBlock,
  connectBlocks,
  TOKEN_VARIABLE,
} from "../../src/contract/connect.ts";
import { TOOLS } from "../../src/mcp/tools.ts";
import { bare, rowsOf, tablesOf } from "./markdown.ts";
import { textOf } from "./source.ts";

const ORIGIN = "https://edgeboard.example.com";
const URL_ = `${ORIGIN}/mcp`;
const page = textOf("docs/connect.md");

/** The blocks below each heading that is a client's name. */
function blocksOf(client: string): { language: string; text: string }[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${client}\n`)) ?? "";
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)\n```$/gm)].map(([, language = "", text = ""]) => ({
    language,
    text,
  }));
}

/** The one block of a client in this language. */
function block(client: (typeof CONNECT_CLIENTS)[number], language: ConnectBlock["language"]): string {
  return connectBlocks(client, { origin: ORIGIN }).find((one) => one.language === language)?.text ?? "";
}

describe.each(CONNECT_CLIENTS)("%s", (client) => {
  const made = connectBlocks(client, { origin: ORIGIN });

  it("stands in the page as it is made, and each block says where it goes", () => {
    expect(blocksOf(client)).toEqual(made.map(({ language, text }) => ({ language, text })));
    for (const { place, language } of made) if (language !== "sh") expect(page).toContain(`\`${place}\``);
  });

  it("never has a token in it", () => {
    for (const { text } of made) expect(text).toMatch(/EDGEBOARD_TOKEN|input:edgeboard-token/);
  });

  it("names the board where it is told one", () => {
    const [first] = connectBlocks(client, { origin: ORIGIN, board: "demo" });
    expect(first?.text).toContain(`${ORIGIN}/boards/demo/mcp`);
  });

  it("is in the language it says", () => {
    for (const { language, text } of made) {
      if (language === "json") JSON.parse(text);
      if (language === "toml") parseToml(text);
      if (language === "sh") execFileSync("sh", ["-n"], { input: text });
    }
  });
});

it("Claude Code reads type, url and headers; the command line has them in the order it takes", () => {
  const { mcpServers } = JSON.parse(block("claude-code", "json"));
  expect(mcpServers.edgeboard).toEqual({
    type: "http",
    url: URL_,
    headers: { Authorization: `Bearer \${${TOKEN_VARIABLE}}` },
  });
  expect(wordsOf(block("claude-code", "sh"))).toEqual([
    ...["claude", "mcp", "add", "--transport", "http", "edgeboard", URL_],
    ...["--header", "Authorization: Bearer secret"],
  ]);
});

it("Codex reads a url and the name of a variable", () => {
  expect(parseToml(block("codex", "toml"))).toEqual({
    mcp_servers: { edgeboard: { url: URL_, bearer_token_env_var: TOKEN_VARIABLE } },
  });
});

it("Cursor reads a variable in its own way", () => {
  expect(JSON.parse(block("cursor", "json"))).toEqual({
    mcpServers: { edgeboard: { url: URL_, headers: { Authorization: `Bearer \${env:${TOKEN_VARIABLE}}` } } },
  });
});

it("VS Code reads servers, and an input that it asks for", () => {
  const { inputs, servers } = JSON.parse(block("vscode", "json"));
  expect(inputs).toMatchObject([{ type: "promptString", id: "edgeboard-token", password: true }]);
  expect(servers.edgeboard).toMatchObject({ type: "http", url: URL_ });
  expect(servers.edgeboard.headers.Authorization).toBe(`Bearer \${input:${inputs[0].id}}`);
});

it("curl sends a message of the protocol", () => {
  const words = wordsOf(block("curl", "sh"));
  expect(words.slice(0, -1)).toEqual([
    ...["curl", "-sS", "--fail-with-body", URL_, "-H", "Authorization: Bearer secret"],
    ...["-H", "Content-Type: application/json", "-d"],
  ]);
  expect(JSON.parse(words.at(-1) ?? "")).toMatchObject({ jsonrpc: "2.0", method: "tools/call" });
});

it("the page names every tool, and no other", () => {
  const rows = rowsOf(tablesOf("docs/connect.md"), "What an agent can do then", "tool");
  expect(rows.map(([name = ""]) => bare(name))).toEqual(TOOLS.map(({ name }) => name));
});

/** A command's words, as a shell takes it apart. */
function wordsOf(command: string): string[] {
  const script = `${TOKEN_VARIABLE}=secret; printf '%s\\0' ${command}`;
  return execFileSync("sh", ["-c", script]).toString().split("\0").slice(0, -1);
}
