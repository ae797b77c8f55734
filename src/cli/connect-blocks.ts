/** What a client has to be told, as text to paste. The token is named, never printed. */
import { CONNECT_CLIENTS, type ConnectBlock, connectBlocks } from "../contract/connect.ts";

export interface Place {
  url: string;
  board: string;
  /** The token is good for every board, so that each call has to name this one. */
  anyBoard: boolean;
}

/** Beside the clients of MCP: whoever calls by itself. */
const OURS = {
  rest: ({ url, board }: Place) => [
    shell(
      `BOARD=${url}/api/v1/boards/${board}`,
      `api() { curl -sS --fail-with-body -H "Authorization: Bearer $EDGEBOARD_TOKEN" -H 'Content-Type: application/json' "$@"; }`,
      `api "$BOARD/tasks?ready=true"       # what can be worked on`,
      `api "$BOARD/claims" -d '{}'         # take the next of it`,
      `# Every call: ${url}/docs, and for machines ${url}/api/v1/openapi.json`,
    ),
  ],
  typescript: ({ url, board }: Place) => [
    {
      place: "worker.js",
      language: "js",
      text: [
        'import { Edgeboard, work } from "edgeboard/client";',
        "",
        `const server = new Edgeboard({ url: "${url}", token: process.env.EDGEBOARD_TOKEN });`,
        `await work(server.board("${board}"), async ({ task, signal }) => {`,
        "  // What is done to the task; `signal` says when to stop.",
        "});",
      ].join("\n"),
    },
  ],
  shell: ({ url, board }: Place) => [
    shell(`export EDGEBOARD_URL=${url}`, `export EDGEBOARD_BOARD=${board}`, "export EDGEBOARD_TOKEN=…"),
  ],
};

type Block = Omit<ConnectBlock, "language"> & { language: string };

export const CLIENTS = [...CONNECT_CLIENTS, ...(Object.keys(OURS) as (keyof typeof OURS)[])];

export function blocksFor(client: (typeof CLIENTS)[number], place: Place): Block[] {
  if (client in OURS) return OURS[client as keyof typeof OURS](place);
  const { url: origin, board, anyBoard } = place;
  return connectBlocks(client as (typeof CONNECT_CLIENTS)[number], {
    origin,
    ...(anyBoard ? { board } : {}),
  });
}

function shell(...lines: string[]): Block {
  return { place: "command line", language: "sh", text: lines.join("\n") };
}
