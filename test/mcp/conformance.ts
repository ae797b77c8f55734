/**
 * `npm run test:mcp`: a local server, asked by others than ourselves. The protocol's conformance suite at both
 * revisions, its inspector, and three clients that work on one board.
 */

import { Api } from "../demo/api.ts";
import { startScratch } from "../demo/scratch.ts";
import { FOREIGN, race, work } from "./foreign.ts";
import { inspectTools } from "./inspector.ts";
import { type Checked, holdAgainst, NOT_OFFERED } from "./not-offered.ts";
import { startProxy } from "./proxy.ts";
import { REVISIONS, runSuite } from "./suite.ts";

const CLAIMS = 50;
const failures: string[] = [];
const say = (good: boolean, text: string): void => {
  console.log(`${good ? "ok    " : "FAILED"} ${text}`);
  if (!good) failures.push(text);
};

const scratch = await startScratch();
try {
  const operator = new Api(`${scratch.url}/api/v1`, scratch.operatorToken);
  await operator.must("POST", "/boards", { id: "mcp", name: "MCP" });
  const mint = async (agentId: string) =>
    (await operator.must<{ token: string }>("POST", "/boards/mcp/tokens", { agentId, role: "worker" })).token;
  const endpoint = `${scratch.url}/mcp`;
  const token = await mint("suite");
  await suite(token);
  const { exit, tools, said } = await inspectTools(endpoint, token);
  say(exit === 0 && tools === 9 && said === "", `inspector --strict: ${tools} tools, exit ${exit} ${said}`);
  await pathsOfThePage();
  const clients = await Promise.all(
    FOREIGN.map(async (connect, index) => connect(endpoint, await mint(`foreign-${index}`))),
  );
  for (let count = 1; count <= clients.length + 1; count++)
    await operator.must("POST", "/boards/mcp/tasks", { title: `task ${count}` });
  for (const client of clients)
    say(true, `${client.name}: list, claim, heartbeat, finish of ${await work(client)}`);
  const [left] = (await operator.must<{ tasks: { id: string }[] }>("GET", "/boards/mcp/tasks?ready=true"))
    .tasks;
  const { won, lost } = await race(clients, left?.id ?? "none", CLAIMS);
  say(
    won === 1 && [...lost].join() === "conflict",
    `${CLAIMS} claims at once from ${clients.length} clients: ${won} won, the others: ${[...lost].join(", ")}`,
  );
  await Promise.all(clients.map((client) => client.close()));
} finally {
  await scratch.stop();
}
process.exit(failures.length === 0 ? 0 : 1);

async function suite(token: string): Promise<void> {
  const proxy = await startProxy(scratch.url, token);
  const all: Checked[] = [];
  for (const revision of REVISIONS) {
    const checks = await runSuite(`${proxy.url}/mcp`, revision);
    const passed = checks.filter(({ status }) => status === "SUCCESS").length;
    const { unexpected } = holdAgainst(checks, NOT_OFFERED);
    say(passed > 30 && unexpected.length === 0, `conformance ${revision}: ${passed} checks passed`);
    for (const { scenario, id, errorMessage } of unexpected)
      console.log(`         ${scenario}/${id}: ${errorMessage}`);
    all.push(...checks);
  }
  const { stale } = holdAgainst(all, NOT_OFFERED);
  say(
    stale.length === 0,
    `not offered, and known as such: ${stale.length === 0 ? "as it is" : stale.join(", ")}`,
  );
  await proxy.stop();
}

/** A browser that follows a link is not answered with the page where a client looks for something else. */
async function pathsOfThePage(): Promise<void> {
  for (const [path, status] of [
    ["/mcp", 401],
    ["/boards/mcp/mcp", 401],
    ["/.well-known/oauth-protected-resource", 404],
  ] as const) {
    const answer = await fetch(scratch.url + path, { headers: { "sec-fetch-mode": "navigate" } });
    const type = answer.headers.get("content-type");
    say(
      answer.status === status && type === "application/problem+json",
      `GET ${path}: ${answer.status} ${type}`,
    );
  }
}
