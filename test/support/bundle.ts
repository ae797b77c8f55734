/** The Worker as one module for the runtime, without a dev server around it. */
import { readFileSync } from "node:fs";
import { build, type Plugin, type Rolldown } from "vite";

/** The schema is imported as text. */
const sqlAsText: Plugin = {
  name: "sql-as-text",
  load: (id) => (id.endsWith(".sql") ? `export default ${JSON.stringify(readFileSync(id, "utf8"))}` : null),
};

export async function bundle(entry: string): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    plugins: [sqlAsText],
    ssr: { noExternal: true },
    build: {
      write: false,
      target: "esnext",
      ssr: entry,
      // Split, the entry would export what its pieces need, and the runtime takes that for handlers.
      rolldownOptions: { external: /^cloudflare:/, output: { codeSplitting: false } },
    },
  });
  return (built as Rolldown.RolldownOutput).output[0].code;
}
