/** Git, asked in so many words; an answer other than success is an exception that says what git said. */
import { execFile } from "node:child_process";

/** A hook that starts the runner points git to its own repository; ours is where we stand. */
const POINTERS = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"];

export function withoutPointers(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = { ...env };
  for (const name of POINTERS) delete kept[name];
  return kept;
}

export class GitFailed extends Error {
  override readonly name = "GitFailed";
}

const OUTPUT_MAX = 64 * 1_024 * 1_024;

export function git(cwd: string, ...args: string[]): Promise<string> {
  const env = { ...withoutPointers(process.env), GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
  return new Promise((resolve, reject) => {
    execFile("git", args, { cwd, env, maxBuffer: OUTPUT_MAX }, (error, stdout, stderr) => {
      if (error === null) return resolve(stdout.trimEnd());
      const said = stderr.trim() || error.message;
      reject(new GitFailed(`git ${args.slice(0, 2).join(" ")}: ${said}`));
    });
  });
}
