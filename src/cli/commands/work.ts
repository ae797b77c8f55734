import { command } from "../command.ts";
import { EXIT, Misused } from "../failure.ts";
import { flag, text, texts, whole } from "../options.ts";
import { oneLine } from "../output.ts";
import { runWork } from "../work/runner.ts";
import { lineOf } from "../work/told.ts";

const MAX_FIXES = 2;

export default command({
  summary: "Run a command for one task after the other",
  details:
    "Claims the next task, writes it down for the command (EDGEBOARD_TASK_FILE as JSON, EDGEBOARD_TASK_MD to read), " +
    "keeps the lease while it runs, has its work verified, and tells the board how it ended. The command's exit code 0 " +
    "means that the work is finished; it may say more in EDGEBOARD_REPORT_FILE. See docs/work.md.",
  options: {
    exec: text("-x, --exec <command>", "what does the work, run by the shell"),
    verify: text("--verify <command>", "what has to end with exit code 0 before a task is done"),
    maxFixes: whole("--max-fixes <n>", `tries to mend what --verify found (${MAX_FIXES})`, 0, 20),
    worktree: flag("--worktree", "give every task a git worktree and a branch of its own"),
    base: text("--base <ref>", "what a worktree begins from (HEAD)"),
    concurrency: whole("-c, --concurrency <n>", "tasks at once (1)", 1, 64),
    once: flag("--once", "end after one task, or when there is none"),
    runtime: text("--runtime <name>", "the runtime to claim for"),
    label: texts("-l, --label <label>", "only tasks that have it, may be repeated"),
  },
  examples: [
    ["edgeboard work --exec ./do.sh --once", "one task"],
    ["edgeboard work -x ./agent.sh --worktree --verify 'npm test'", "checked, each on a branch"],
    ["edgeboard work -x 'codex exec - < \"$EDGEBOARD_TASK_MD\"' -c 4", "an agent, four at once"],
  ],
  async run(context, input) {
    const { output } = context;
    const { exec, verify, once = false, concurrency = 1 } = input;
    if (exec === undefined || exec.trim() === "")
      throw new Misused("There is no command to run.", "Give one by --exec '<command>'.");
    context.stoppable();
    const tally = await runWork(
      {
        board: context.board,
        signal: context.signal,
        tell: (told) => output.line(output.json ? JSON.stringify(told) : oneLine(lineOf(told))),
      },
      {
        exec,
        verify: verify ?? null,
        maxFixes: input.maxFixes ?? MAX_FIXES,
        worktree: input.worktree === true,
        base: input.base ?? "HEAD",
        concurrency,
        once,
        runtime: input.runtime,
        labels: input.label ?? [],
        cwd: process.cwd(),
      },
    );
    const bad = tally.failed + tally.lost + tally.unknown;
    return once && bad > 0 ? EXIT.failed : EXIT.ok;
  },
});
