/** What `npm pack` makes works where nothing else is: the program, the client and its types, on each Node there is. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT } from "../structure/source.ts";

/** The Node of the tests, and whatever else is installed on this machine. */
const NODES = [
  process.execPath,
  ...(process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, "node"))
    .filter((path) => !path.includes("node_modules") && existsSync(path)),
].filter((path, at, all) => all.findIndex((other) => realpathSync(other) === realpathSync(path)) === at);

let folder = "";
const npm = (args: string[], cwd: string) =>
  execFileSync("npm", args, { cwd, encoding: "utf8", stdio: "pipe" });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "edgeboard-package-"));
  npm(["pack", "--silent", "--pack-destination", folder], ROOT);
  const [tarball = ""] = readdirSync(folder);
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "elsewhere", private: true, type: "module" }),
  );
  npm(["install", "--prefer-offline", "--no-audit", "--no-fund", `./${tarball}`], folder);
}, 180_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe.each(NODES)("with %s", (node) => {
  /** As if this Node were the only one. */
  const run = (args: string[]) =>
    spawnSync(node, args, {
      cwd: folder,
      encoding: "utf8",
      env: { PATH: dirname(node), HOME: folder } as unknown as NodeJS.ProcessEnv,
    });

  it("the program tells its version, its help, and what is missing", () => {
    const program = join(folder, "node_modules/.bin/edgeboard");
    expect(run([program, "--version"])).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^\d+\.\d+/),
    });
    expect(run([program])).toMatchObject({ status: 0, stdout: expect.stringContaining("claim") });
    expect(run([program, "ready"])).toMatchObject({ status: 3, stderr: expect.stringMatching(/login/) });
  });

  it("the client is imported by its name, and calls", () => {
    const script = join(folder, "client.js");
    writeFileSync(
      script,
      `import { Edgeboard, Refused, Unreachable, work } from "edgeboard/client";
       const server = new Edgeboard({ url: "http://127.0.0.1:1", token: "x", budgetMs: 0 });
       const error = await server.board("b").tasks.list().catch((error) => error);
       console.log(error instanceof Unreachable, typeof work, typeof Refused);`,
    );
    expect(run([script])).toMatchObject({ status: 0, stdout: "true function function\n" });
  });
});

it("npx finds it", () => {
  expect(npm(["exec", "--offline", "--", "edgeboard", "--version"], folder)).toMatch(/^\d+\.\d+\.\d+\n$/);
}, 60_000);

it("its types say what the board answers, and what it does not take", () => {
  writeFileSync(
    join(folder, "typed.ts"),
    `import { Edgeboard, type Task } from "edgeboard/client";
     const board = new Edgeboard({ url: "https://board.example" }).board();
     const { tasks } = await board.tasks.list({ ready: true });
     export const titles: string[] = tasks.map((task: Task) => task.title);
     // @ts-expect-error no task has such a priority
     await board.tasks.create({ title: "x", priority: "high" });
     const claim = await board.claimNext();
     // @ts-expect-error there may be none
     claim.task;`,
  );
  const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2024", "--types", ""];
  const checked = spawnSync(
    process.execPath,
    [join(ROOT, "node_modules/typescript/bin/tsc"), ...options, "typed.ts"],
    { cwd: folder, encoding: "utf8" },
  );
  expect(checked.stdout).toBe("");
  expect(checked.status).toBe(0);
}, 60_000);

it("brings nothing along but what its types are written in", () => {
  const packages = readdirSync(join(folder, "node_modules")).filter((name) => !name.startsWith("."));
  expect(packages).toEqual(["edgeboard", "zod"]);
});
