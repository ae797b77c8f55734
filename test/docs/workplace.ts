/**
 * What whoever reads a page has before them: a fresh clone in which `npm ci` was run, a home of their own, and a port
 * that nobody else has.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { freePort } from "../demo/scratch.ts";
import { ROOT } from "../structure/source.ts";
import { Shell } from "./shell.ts";

/**
 * `npm ci` is what made this clone, and `npm test` runs beside this one: inside of a page both are taken as done. The
 * package is made once, before the first page, since all of them have the same clone. All else is npm's.
 */
const NPM = `#!/bin/sh
case "$*" in
  ci | test) test -f package-lock.json; exit ;;
  pack) cp -v "$PACKED"/*.tgz .; exit ;;
esac
exec "$REAL_NPM" "$@"
`;

export interface Workplace {
  port: number;
  clone: string;
  /** A block as it is to be pasted here. */
  here: (text: string) => string;
  shell: Shell;
  leave: () => Promise<void>;
}

/** Where the package of all pages is. */
const packed = mkdtempSync(join(tmpdir(), "edgeboard-docs-package-"));
export const makePackage = (): void =>
  void execFileSync("npm", ["pack", "--pack-destination", packed], { cwd: ROOT, stdio: "ignore" });
export const forgetPackage = (): void => rmSync(packed, { recursive: true, force: true });

/** With the place of somebody who has a server running it is beside that one, and knows its secrets. */
export async function openWorkplace(beside?: Workplace): Promise<Workplace> {
  const place = mkdtempSync(join(tmpdir(), "edgeboard-docs-"));
  const clone = join(place, "edgeboard");
  copyClone(clone);
  mkdirSync(join(place, "bin"));
  writeFileSync(join(place, "bin/npm"), NPM);
  chmodSync(join(place, "bin/npm"), 0o755);
  if (beside !== undefined) cpSync(join(beside.clone, ".dev.vars"), join(clone, ".dev.vars"));
  const port = beside?.port ?? (await freePort());
  const shell = new Shell(clone, environmentOf(place, port));
  return {
    port,
    clone,
    // Documents name the port that `npm start` has where nothing else is said, and a deployment that is nobody's.
    here: (text) =>
      text
        .replaceAll("127.0.0.1:8787", `127.0.0.1:${port}`)
        .replaceAll(/https:\/\/(edge)?board\.example(\.com)?\b/g, `http://127.0.0.1:${port}`),
    shell,
    leave: async () => {
      await shell.end();
      rmSync(place, { recursive: true, force: true });
    },
  };
}

/** What is in the repository, changes that are not committed included, and what was built of it. */
function copyClone(clone: string): void {
  const listed = execFileSync(
    "git",
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"],
    {
      cwd: ROOT,
      encoding: "utf8",
    },
  );
  const deleted = execFileSync("git", ["ls-files", "-z", "--deleted"], { cwd: ROOT, encoding: "utf8" });
  const gone = new Set(deleted.split("\0"));
  for (const path of [...listed.split("\0"), "dist"].filter((path) => path !== "" && !gone.has(path)))
    cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(clone, "node_modules"));
}

function environmentOf(place: string, port: number): Record<string, string> {
  // The tools of this clone are for its own scripts; a reader has what is installed on the machine.
  const path = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.includes("node_modules"));
  const realNpm = execFileSync("sh", ["-c", "command -v npm"], {
    encoding: "utf8",
    env: { PATH: path.join(delimiter) } as unknown as NodeJS.ProcessEnv,
  });
  return {
    PATH: [join(place, "bin"), join(place, "global/bin"), ...path].join(delimiter),
    HOME: place,
    LANG: "C.UTF-8",
    PORT: String(port),
    REAL_NPM: realNpm.trim(),
    PACKED: packed,
    // What is installed globally is installed here; what was fetched before is not fetched again.
    npm_config_prefix: join(place, "global"),
    npm_config_cache: process.env["npm_config_cache"] ?? join(homedir(), ".npm"),
    npm_config_prefer_offline: "true",
    npm_config_fund: "false",
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
    npm_config_loglevel: "error",
  };
}
