/** Three clients that know nothing of each other do the same work on one board. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** What any of them can do: call a tool, and read its answer. */
export interface Foreign {
  name: string;
  call: (tool: string, args: object) => Promise<Answer>;
  close: () => Promise<void>;
}

export interface Answer {
  refused: boolean;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape
  data: any;
}

type Connect = (url: string, token: string) => Promise<Foreign>;

const IDENTITY = { name: "foreign", version: "1" };

const present: Connect = async (url, token) => {
  const client = new Client(IDENTITY, { versionNegotiation: { mode: { pin: "2026-07-28" } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: bearer(token) }));
  return {
    name: `client 2, ${client.getNegotiatedProtocolVersion()}`,
    call: async (name, args) => read(await client.callTool({ name, arguments: { ...args } })),
    close: () => client.close(),
  };
};

const past: Connect = async (url, token) => {
  const client = new OldClient(IDENTITY);
  const transport = new OldTransport(new URL(url), { requestInit: bearer(token) });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  // Listing first is what makes this client hold answers against their schemas.
  await client.listTools();
  return {
    name: `sdk 1, ${transport.protocolVersion}`,
    call: async (name, args) => read(await client.callTool({ name, arguments: { ...args } })),
    close: () => client.close(),
  };
};

const bare: Connect = async (url, token) => ({
  name: "fetch alone, no revision named",
  call: async (name, args) => {
    const response = await fetch(url, {
      method: "POST",
      headers: { ...bearer(token).headers, "content-type": "application/json" },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name, arguments: args },
      }),
    });
    const { result } = (await response.json()) as { result: unknown };
    return read(result);
  },
  close: async () => {},
});

export const FOREIGN: Connect[] = [present, past, bare];

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

function read(result: unknown): Answer {
  const { isError, content, structuredContent } = result as {
    isError?: boolean;
    content: { text: string }[];
    structuredContent?: unknown;
  };
  return { refused: isError === true, text: content[0]?.text ?? "", data: structuredContent };
}

/** list, claim, heartbeat, finish. */
export async function work({ call }: Foreign): Promise<string> {
  const done = async (tool: string, args: object) => {
    const answer = await call(tool, args);
    if (answer.refused) throw new Error(`${tool}: ${answer.text}`);
    return answer.data;
  };
  const { tasks } = await done("list_tasks", { ready: true });
  if (tasks.length === 0) throw new Error("nothing is ready");
  const { task, lease_token } = await done("claim_task", {});
  const held = { task_id: task.id, lease_token };
  await done("heartbeat", { ...held, note: "at it" });
  const finished = await done("finish_task", { ...held, outcome: "done", summary: "Done." });
  if (finished.task.status !== "done") throw new Error(`${task.id} is ${finished.task.status}`);
  return task.id;
}

/** All of them at one task at once: who got it, and what the others were told. */
export async function race(clients: readonly Foreign[], taskId: string, times: number) {
  const claims = Array.from({ length: times }, (_, index) =>
    (clients[index % clients.length] as Foreign).call("claim_task", { task_id: taskId }),
  );
  const answers = await Promise.all(claims);
  const lost = answers.filter(({ refused }) => refused).map(({ text }) => text.split(":")[0]);
  return { won: answers.length - lost.length, lost: new Set(lost) };
}
