import { availableParallelism } from "node:os";
import { cloudflareTest } from "@cloudflare/vitest-pool-workers";
import { defineConfig } from "vitest/config";
import { receivers } from "./test/support/receivers.ts";

/** Secrets of the test runtime; a real deployment has its own. */
const bindings = {
  EDGEBOARD_OPERATOR_TOKEN: "operator-token-of-the-tests-0123456789",
  EDGEBOARD_SIGNING_KEY: "signing-key-of-the-tests-0123456789abcdef",
};
/** How many random histories the model test runs, and which; see test/model. */
const model = Object.fromEntries(
  ["MODEL_RUNS", "MODEL_SEED"].flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
);
// The plugin looks for required secrets in the environment and warns where there are none.
Object.assign(process.env, bindings);

export default defineConfig({
  test: {
    // Most of them wait for a runtime most of the time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: "node",
          isolate: false,
          include: [
            "test/{cli,crash,history,import-export,local,rules,self-host,soak,structure,web}/**/*.test.ts",
          ],
        },
      },
      {
        test: {
          // Needs a Chromium: `npm run test:browser`.
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          // Installs the program and starts servers: `npm run test:docs`.
          name: "docs",
          include: ["test/docs/**/*.test.ts"],
          testTimeout: 180_000,
          hookTimeout: 60_000,
        },
      },
      {
        plugins: [
          cloudflareTest({
            wrangler: { configPath: "./wrangler.toml" },
            // Whatever a board sends out ends there: no test reaches the network.
            miniflare: {
              bindings: { ...bindings, ...model },
              outboundService: receivers,
            },
          }),
        ],
        test: {
          name: "workers",
          // Each test makes boards of its own, so files may share a runtime: to start one takes longer than most of them.
          isolate: false,
          include: ["test/{board,client,directory,http,mcp,model,schema}/**/*.test.ts"],
          setupFiles: ["./test/support/quiet.ts"],
          testTimeout: 30_000,
        },
      },
    ],
  },
});
