/**
 * What `npm pack` takes along: the program and the client as plain JavaScript, with everything they use inside. A
 * command is a file of its own, loaded when it is called.
 */
import { chmodSync } from "node:fs";
import { join } from "node:path";
import { build, type InlineConfig } from "vite";

const ROOT = join(import.meta.dirname, "../..");

/** Both run on what `engines` in package.json says; the client in browsers as well. */
const TARGETS = { cli: "node20", client: ["node20", "es2022"] };

export async function buildPackage(folder = join(ROOT, "dist")): Promise<void> {
  await build(config("cli", join(ROOT, "src/cli/edgeboard.ts"), join(folder, "cli")));
  await build(config("client", join(ROOT, "src/client/index.ts"), join(folder, "client")));
  chmodSync(join(folder, "cli/edgeboard.js"), 0o755);
}

function config(name: keyof typeof TARGETS, entry: string, outDir: string): InlineConfig {
  return {
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: "warn",
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: true,
      target: TARGETS[name],
      minify: name === "cli",
      // What others wrote goes along under their own licences.
      license: { fileName: "licenses.md" },
      rolldownOptions: {
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
        },
      },
    },
    ssr: { noExternal: true, target: name === "cli" ? "node" : "webworker" },
  };
}

if (import.meta.main) await buildPackage();
