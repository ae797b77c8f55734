/** How much would be uploaded, and how much may be. */
import { gzipSync } from "node:zlib";
import type { Module } from "./worker-bundle.ts";

const KIB = 1024;

export interface Size {
  raw: number;
  gzip: number;
}

/**
 * About an eighth more than it has. Cloudflare takes 3 MiB compressed on the free plan and 10 MiB on a paid one; what is
 * larger also starts later, since all of it is read before the first request is.
 */
export const WORKER_BOUND: Size = { raw: 1_700 * KIB, gzip: 375 * KIB };

export function sizeOf(modules: Module[]): Size {
  const all = Buffer.concat(modules.map(({ content }) => content));
  return { raw: all.length, gzip: gzipSync(all).length };
}

export function sizeText({ raw, gzip }: Size): string {
  return `${kib(raw)} KiB, ${kib(gzip)} KiB compressed`;
}

/** Null where it fits. */
export function overweight(size: Size, bound: Size): string | null {
  if (size.raw <= bound.raw && size.gzip <= bound.gzip) return null;
  return `the Worker has ${sizeText(size)}, and may have ${sizeText(bound)}: see what came in with "npx wrangler deploy --dry-run --metafile", or raise WORKER_BOUND in src/local/worker-size.ts if it is worth it`;
}

function kib(bytes: number): string {
  return (bytes / KIB).toFixed(1);
}
