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
  Sign in     ${await signInLink()}
  Interface   ${server.url}/docs
  Board       demo
  Token       ${token}

  The link signs a browser in, once, within a minute.${process.stdin.isTTY ? " Enter makes a fresh one." : ""}
  Ctrl-C stops it; boards stay in .wrangler/state.
`);
// A terminal hands over a line at a time; what is in it does not matter.
if (process.stdin.isTTY)
  process.stdin.on("data", async () => console.log(`  Sign in     ${await signInLink().catch(String)}\n`));
process.exitCode = await server.exited;
process.stdin.pause();

/** A minute is short for whoever reads first: there is always another one. It signs in as the demo board's lead. */
async function signInLink(): Promise<string> {
  const made = await fetch(`${server.url}/api/v1/session/link`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  });
  if (!made.ok) throw new Error(`no link to sign in: ${await made.text()}`);
  return ((await made.json()) as { url: string }).url;
}

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
