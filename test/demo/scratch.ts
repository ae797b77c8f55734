/** A local Edgeboard to throw away: a free port, secrets of its own, storage that goes with it. */
import { mkdtempSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { localSecrets } from "../../src/local/secrets.ts";
import { startServer } from "../../src/local/server.ts";

export interface Scratch {
  url: string;
  operatorToken: string;
  /** What its tokens are signed with, for whoever forges some. */
  signingKey: string;
  stop: () => Promise<void>;
}

export async function startScratch(): Promise<Scratch> {
  const storage = mkdtempSync(join(tmpdir(), "edgeboard-demo-"));
  // At exit, so that it also goes when the start fails or the demo is broken off.
  process.on("exit", () => rmSync(storage, { recursive: true, force: true }));
  // An empty environment: a real deployment's secrets are not for a demo.
  const secrets = localSecrets(join(storage, ".dev.vars"), {} as NodeJS.ProcessEnv);
  const { url, stop } = await startServer({ port: await freePort(), secrets, storage });
  const { EDGEBOARD_OPERATOR_TOKEN: operatorToken, EDGEBOARD_SIGNING_KEY: signingKey } = secrets;
  return { url, operatorToken, signingKey, stop };
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
