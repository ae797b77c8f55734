/** The Worker as it would be uploaded: built by the vendor's program, which then stops. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { runWrangler } from "./wrangler.ts";

/** A module of the Worker, by the name that the others import it by. */
export interface Module {
  name: string;
  content: Buffer;
}

/** The entry first. What is left beside the modules, such as the map of the sources, is not among them. */
export async function buildWorker(folder: string, environment: string | null): Promise<Module[]> {
  // An empty name is the top level, whatever the shell says.
  const { code, output } = await runWrangler([
    "deploy",
    "--dry-run",
    ...["--outdir", folder, "--env", environment ?? ""],
  ]);
  if (code !== 0) throw new Error(`the Worker could not be built:\n${output}`);
  const files = readdirSync(folder).filter((name) => name.endsWith(".js") || name.endsWith(".sql"));
  return files
    .sort((a, b) => Number(b === "index.js") - Number(a === "index.js"))
    .map((name) => ({ name: basename(name), content: readFileSync(join(folder, name)) }));
}
