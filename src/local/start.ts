/** `npm start`: a local Edgeboard with a demo board, kept across restarts. */
import { join } from "node:path";
import { localSecrets } from "./secrets.ts";
import { startServer } from "./server.ts";

const ROOT = join(import.meta.dirname, "../..");
const port = Number(process.env["PORT"] ?? 8787);
const secrets = localSecrets(join(ROOT, ".dev.vars"), process.env);

const server = await startServer({
  port,
  secrets,
  storage: join(ROOT, ".wrangler/state"),
  onOutput: (text) => process.stderr.write(text),
});
process.on("SIGINT", () => void server.stop());
process.on("SIGTERM", () => void server.stop());

const token = await demoToken();
console.log(`
  Edgeboard   ${server.url}
  Interface   ${server.url}/docs
  Board       demo
  Token       ${token}

  Ctrl-C stops it; boards stay in .wrangler/state.
`);
process.exitCode = await server.exited;

/** The demo board is made once; each start mints a token of its own, good for a week. */
async function demoToken(): Promise<string> {
  const operator = {
    authorization: `Bearer ${secrets.EDGEBOARD_OPERATOR_TOKEN}`,
    "content-type": "application/json",
  };
  const post = (path: string, body: object) =>
    fetch(`${server.url}/api/v1${path}`, { method: "POST", headers: operator, body: JSON.stringify(body) });
  const made = await post("/boards", { id: "demo", name: "Demo" });
  if (!made.ok && made.status !== 409) throw new Error(`no demo board: ${await made.text()}`);
  const minted = await post("/boards/demo/tokens", { agentId: "you", role: "lead", expiresInS: 604_800 });
  const { token: value } = (await minted.json()) as { token?: string };
  if (value === undefined) throw new Error("no token for the demo board");
  return value;
}
