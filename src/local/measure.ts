/** What would be uploaded for an environment, built and weighed; nothing leaves this machine. */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildWorker } from "./worker-bundle.ts";
import { overweight, type Size, sizeOf, sizeText } from "./worker-size.ts";
import { ROOT } from "./wrangler.ts";

export interface Measured {
  /** For people. */
  lines: string[];
  /** Null where it fits. */
  fault: string | null;
}

export async function measure(environment: string, bound: Size): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), "edgeboard-worker-"));
  try {
    const modules = await buildWorker(folder, environment);
    const size = sizeOf(modules);
    const page = filesBelow(join(ROOT, "dist/web"));
    return {
      lines: [
        `Worker   ${sizeText(size)}, in ${modules.length} modules that are all read at a start`,
        `Bound    ${sizeText(bound)}; Cloudflare takes 3 MiB compressed on the free plan, 10 MiB on a paid one`,
        `Page     ${page.length} files, the largest ${sizeOfLargest(page)} KiB; Cloudflare takes 20,000 of 25 MiB`,
      ],
      fault: overweight(size, bound),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function sizeOfLargest(files: string[]): number {
  return Math.ceil(Math.max(...files.map((file) => statSync(file).size)) / 1024);
}
