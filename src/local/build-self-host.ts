/** `npm run build:self-host`: a folder that runs Edgeboard on a machine with nothing else on it. */
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "vite";
import { HEADER_RULES } from "./page-headers.ts";
import { selfHostConfig } from "./self-host-config.ts";
import { buildWorker } from "./worker-bundle.ts";
import { ROOT, readConfiguration } from "./wrangler.ts";

const SOURCES = join(ROOT, "src/self-host");

/** `dist/web` has to be there: `npm run build` makes it. */
export async function buildSelfHost(folder = join(ROOT, "dist/self-host")): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "worker"), { recursive: true });
  const scratch = mkdtempSync(join(tmpdir(), "edgeboard-worker-"));
  const modules = await buildWorker(scratch, null);
  rmSync(scratch, { recursive: true, force: true });
  for (const { name, content } of modules) writeFileSync(join(folder, "worker", name), content);
  for (const name of ["front", "page", "rate-limit"]) await bundle(name, folder);
  const names = modules.map(({ name }) => name);
  writeFileSync(join(folder, "config.capnp"), selfHostConfig(readConfiguration(), names, HEADER_RULES));
  // Its rules are in the configuration.
  cpSync(join(ROOT, "dist/web"), join(folder, "web"), {
    recursive: true,
    filter: (path) => !path.endsWith("/_headers"),
  });
  cpSync(join(SOURCES, "start.sh"), join(folder, "start.sh"));
  cpSync(join(SOURCES, "systemd.unit"), join(folder, "edgeboard.service"));
  cpSync(runtime(), join(folder, "workerd"));
  for (const program of ["start.sh", "workerd"]) chmodSync(join(folder, program), 0o755);
}

/** One file, with everything it uses inside. */
async function bundle(name: string, outDir: string): Promise<void> {
  await build({
    configFile: false,
    root: ROOT,
    publicDir: false,
    logLevel: "warn",
    ssr: { noExternal: true, target: "webworker" },
    build: {
      ssr: join(SOURCES, `${name}.ts`),
      outDir,
      emptyOutDir: false,
      target: "es2024",
      rolldownOptions: {
        external: /^cloudflare:/,
        output: { codeSplitting: false, entryFileNames: "[name].js" },
      },
    },
  });
}

/** The runtime itself, for the kind of machine this is. */
function runtime(): string {
  const require = createRequire(createRequire(import.meta.url).resolve("wrangler/package.json"));
  return (require("workerd") as { default: string }).default;
}

if (import.meta.main) {
  await buildSelfHost();
  console.log("dist/self-host is the whole of it: docs/self-host.md says how it is run");
}
