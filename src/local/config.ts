/**
 * The local runtime's configuration: the deployment's, with a bucket for archives, which costs nothing and needs no
 * account here. Paths in it are whole, since it lies with what is stored.
 */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "smol-toml";

/** Writes it, and says where. Several servers may start at once with one storage. */
export function writeLocalConfig(root: string, storage: string): string {
  const config = parse(readFileSync(join(root, "wrangler.toml"), "utf8")) as Record<string, unknown> & {
    main: string;
    assets: { directory: string };
  };
  // The secrets are handed over by whoever starts it, and not looked for in files beside this one.
  const {
    env: _deployments,
    secrets: _secrets,
    ...local
  } = {
    ...config,
    main: resolve(root, config.main),
    assets: { ...config.assets, directory: resolve(root, config.assets.directory) },
    r2_buckets: [{ binding: "ARCHIVE", bucket_name: "edgeboard-archives" }],
  } as typeof config & { env?: unknown; secrets?: unknown };
  const path = join(storage, "wrangler.json");
  const draft = `${path}.${process.pid}`;
  mkdirSync(storage, { recursive: true });
  writeFileSync(draft, JSON.stringify(local, null, 2));
  renameSync(draft, path);
  return path;
}
