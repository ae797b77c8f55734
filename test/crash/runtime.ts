/**
 * The runtime by itself, as a process: the Worker as `wrangler.toml` configures it, storage on the disk. Without the
 * dev server around it, it is there again within a second.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { parse } from "smol-toml";
import type { Secrets } from "../../src/local/secrets.ts";
import { faultsOnly } from "../support/runtime-logs.ts";

export interface RuntimePlan {
  port: number;
  storage: string;
  secrets: Secrets;
  /** The Worker, bundled. */
  code: string;
}

interface Config {
  name: string;
  compatibility_date: string;
  durable_objects: { bindings: { name: string; class_name: string }[] };
  ratelimits: { name: string; namespace_id: string; simple: { limit: number; period: 10 } }[];
}

const ROOT = join(import.meta.dirname, "../..");

process.on("disconnect", () => process.exit(0));
process.once("message", async (plan: RuntimePlan) => {
  await start(plan).ready;
  process.send?.("ready");
});

function start({ port, storage, secrets, code }: RuntimePlan): Miniflare {
  const config = parse(readFileSync(join(ROOT, "wrangler.toml"), "utf8")) as unknown as Config;
  const objects = config.durable_objects.bindings;
  return new Miniflare({
    handleStructuredLogs: faultsOnly,
    host: "127.0.0.1",
    port,
    resourcePersistencePath: storage,
    logRequests: false,
    workers: [
      {
        config: {
          name: config.name,
          compatibilityDate: config.compatibility_date,
          manifest: {
            mainModule: "index.js",
            modulesRoot: ROOT,
            modules: { "index.js": { type: "esm", contents: code } },
          },
          env: Object.fromEntries([
            ...Object.entries(secrets).map(([name, value]) => [name, { type: "text", value }]),
            ...objects.map(({ name, class_name }) => [
              name,
              { type: "durable-object", worker: config.name, exportName: class_name },
            ]),
            ...config.ratelimits.map(({ name, namespace_id, simple }) => [
              name,
              { type: "rate-limit", namespace: namespace_id, simple },
            ]),
          ]),
          exports: Object.fromEntries(
            objects.map(({ class_name }) => [class_name, { type: "durable-object", storage: "sqlite" }]),
          ),
        },
      },
    ],
  });
}
