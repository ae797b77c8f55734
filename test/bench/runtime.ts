/** A Worker of the bench, bundled and run in the local runtime. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Plugin, type Rolldown } from "vite";

/** The schema is imported as text. */
const sqlAsText: Plugin = {
  name: "sql-as-text",
  load: (id) => (id.endsWith(".sql") ? `export default ${JSON.stringify(readFileSync(id, "utf8"))}` : null),
};

/** A Worker of this folder, as the one module of its name. */
export async function bundle(entry: string): Promise<Record<string, { type: "esm"; contents: string }>> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    plugins: [sqlAsText],
    ssr: { noExternal: true },
    build: {
      write: false,
      target: "esnext",
      ssr: join(import.meta.dirname, entry),
      // One module: the runtime takes whatever the entry exports for a Worker.
      rolldownOptions: { external: /^(?:cloudflare|node):/, output: { codeSplitting: false } },
    },
  });
  const { fileName, code } = (built as Rolldown.RolldownOutput).output[0];
  return { [fileName]: { type: "esm", contents: code } };
}
