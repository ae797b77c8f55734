/** What a client has to be told, as text to paste. The token is named, never printed. */

export interface Place {
  url: string;
  board: string;
}

type Block = (place: Place) => string;

export const BLOCKS = {
  curl: ({ url, board }) =>
    [
      "# The token is read from the environment: export EDGEBOARD_TOKEN=…",
      `BOARD=${url}/api/v1/boards/${board}`,
      `api() { curl -sS -H "Authorization: Bearer $EDGEBOARD_TOKEN" -H 'Content-Type: application/json' "$@"; }`,
      `api "$BOARD/tasks?ready=true"                      # what can be worked on`,
      `api "$BOARD/claims" -d '{}'                        # take the next of it`,
    ].join("\n"),
  rest: ({ url, board }) =>
    [
      `Base      ${url}/api/v1/boards/${board}`,
      "Header    Authorization: Bearer <token>",
      `OpenAPI   ${url}/api/v1/openapi.json`,
      `Reader    ${url}/docs`,
    ].join("\n"),
  client: ({ url, board }) =>
    [
      'import { Edgeboard, work } from "edgeboard/client";',
      "",
      `const server = new Edgeboard({ url: "${url}", token: process.env.EDGEBOARD_TOKEN });`,
      `await work(server.board("${board}"), async ({ task, signal }) => {`,
      "  // What is done to the task; `signal` says when to stop.",
      "});",
    ].join("\n"),
  env: ({ url, board }) =>
    [`export EDGEBOARD_URL=${url}`, `export EDGEBOARD_BOARD=${board}`, "export EDGEBOARD_TOKEN=…"].join("\n"),
} satisfies Record<string, Block>;

export const CLIENTS = Object.keys(BLOCKS) as (keyof typeof BLOCKS)[];
