/** The runner against a real server, with real repositories and real processes. */
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Board } from "../../src/client/index.ts";
import { shell, Workshop } from "./workshop.ts";

let workshop: Workshop;
beforeAll(async () => {
  workshop = await Workshop.open();
}, 60_000);
afterAll(() => workshop.close(), 20_000);

const PATIENT = { timeout: 20_000, interval: 50 };

async function addTask(board: Board, title: string, more: { dependsOn?: string[]; kind?: string } = {}) {
  return (await board.tasks.create({ title, ...more })).task;
}

async function look(board: Board, id: string) {
  return board.tasks.get(id, { include: ["executions", "workspace", "comments"] });
}

const isAlive = (pid: string) =>
  existsSync(`/proc/${pid}/stat`) && !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

describe("what the command is given, and what it says", { timeout: 30_000 }, () => {
  it("it finds the task in its environment, as JSON and as a page; its report ends up in the ledger", async () => {
    const board = await workshop.board();
    const cwd = workshop.folder();
    const blocker = await addTask(board, "Write the parser");
    const task = await addTask(board, "Test it", { dependsOn: [blocker.id] });
    const report = `{"summary": "The parser is in src/parse.", "inputTokens": 1200, "outputTokens": 340,
      "cacheRead": 50, "costUsd": 0.25, "afterCommit": "abc", "handoff": {"done": ["parser"]}, "colour": "red"}`;
    const exec = `printf '%s' "$EDGEBOARD_TASK_TITLE|$EDGEBOARD_TASK_ID|$EDGEBOARD_TOKEN|$SECRET" > seen.txt
      cp "$EDGEBOARD_TASK_FILE" "$EDGEBOARD_TASK_MD" . && cat > "$EDGEBOARD_REPORT_FILE" <<'END'\n${report}\nEND`;
    vi.stubEnv("EDGEBOARD_TOKEN", "the runner's own");
    const first = await workshop.runner(board, { exec, cwd });
    expect(await first.ended).toMatchObject({ succeeded: 1 });
    vi.unstubAllEnvs();

    expect(readFileSync(join(cwd, "seen.txt"), "utf8")).toBe(`Write the parser|${blocker.id}||`);
    const done = await look(board, blocker.id);
    expect(done.task).toMatchObject({ status: "done", costUsd: 0.25 });
    expect(done.executions).toMatchObject([
      { status: "succeeded", summary: "The parser is in src/parse.", afterCommit: "abc" },
    ]);
    expect(done.executions?.[0]).toMatchObject({ inputTokens: 1200, outputTokens: 340, cacheRead: 50 });
    expect(done.executions?.[0]?.handoff).toEqual({
      done: ["parser"],
      warnings: ["report file: colour is not known"],
    });

    const second = await workshop.runner(board, {
      exec: "cp $EDGEBOARD_TASK_FILE $EDGEBOARD_TASK_MD .",
      cwd,
    });
    await second.ended;
    const told = JSON.parse(readFileSync(join(cwd, "task.json"), "utf8"));
    expect(told.task).toMatchObject({ id: task.id, title: "Test it" });
    expect(told.blockers).toMatchObject([{ number: 1, summary: "The parser is in src/parse." }]);
    expect(readFileSync(join(cwd, "TASK.md"), "utf8")).toContain("The parser is in src/parse.");
  });

  it("a command that fails counts as an attempt, with its last words, and its handoff reaches the next one", async () => {
    const board = await workshop.board();
    const task = await addTask(board, "Fragile");
    const cwd = workshop.folder();
    const exec = `if [ -e again ]; then cp "$EDGEBOARD_TASK_MD" .; exit 0; fi; touch again
      echo '{"handoff": {"next": "look at the left bolt"}}' > "$EDGEBOARD_REPORT_FILE"; echo it broke >&2; exit 3`;
    expect(await (await workshop.runner(board, { exec, cwd })).ended).toMatchObject({ failed: 1 });
    const between = await look(board, task.id);
    expect(between.task).toMatchObject({ status: "todo", attemptStreak: 1 });
    expect(between.executions).toMatchObject([
      { status: "failed", error: "The command ended with exit code 3.\n\nit broke" },
    ]);
    expect(await (await workshop.runner(board, { exec, cwd })).ended).toMatchObject({ succeeded: 1 });
    expect(readFileSync(join(cwd, "TASK.md"), "utf8")).toContain("look at the left bolt");
  });

  it("a command may ask for a review, or for a person", async () => {
    const board = await workshop.board();
    const review = await addTask(board, "Doubtful");
    const say = (report: object) => `echo '${JSON.stringify(report)}' > "$EDGEBOARD_REPORT_FILE"`;
    await (await workshop.runner(board, { exec: say({ outcome: "in_review" }) })).ended;
    expect((await look(board, review.id)).task.status).toBe("in_review");
    const person = await addTask(board, "Needs a key");
    await (await workshop.runner(board, { exec: say({ outcome: "blocked", reason: "no key" }) })).ended;
    expect((await look(board, person.id)).task).toMatchObject({ status: "blocked", blockedReason: "no key" });
  });

  it("on a board that wants verdicts, work without a gate goes to review", async () => {
    const board = await workshop.board({ requireVerification: true });
    const task = await addTask(board, "Unproven");
    await (await workshop.runner(board, { exec: "true" })).ended;
    expect((await look(board, task.id)).task.status).toBe("in_review");
  });
});

describe("the gate", { timeout: 30_000 }, () => {
  it("a red one never lets a task be done: after every fix it is blocked, with its debt", async () => {
    const board = await workshop.board();
    const task = await addTask(board, "Hopeless");
    const cwd = workshop.folder();
    const runner = await workshop.runner(board, {
      cwd,
      exec: `cp "$EDGEBOARD_TASK_MD" "told-$EDGEBOARD_CYCLE.md"`,
      verify: "echo still red >&2; exit 1",
      maxFixes: 2,
    });
    expect(await runner.ended).toMatchObject({ failed: 1 });
    const { task: after, executions } = await look(board, task.id);
    expect(after).toMatchObject({
      status: "blocked",
      blockedReason:
        "The verification `echo still red >&2; exit 1` ended with exit code 1. 2 fixes did not help.",
    });
    expect(after.verification).toMatchObject({ status: "fail", structuredError: { why: "still red" } });
    expect(after.verification?.debtNotes).toHaveLength(1);
    expect(after.verification?.attempts.map(({ deterministic }) => deterministic.passed)).toEqual([
      false,
      false,
      false,
    ]);
    expect(executions).toMatchObject([{ status: "failed" }]);
    expect(executions?.[0]?.handoff?.broken).toHaveLength(1);
    expect(readFileSync(join(cwd, "told-1.md"), "utf8")).not.toContain("Mend this first");
    expect(readFileSync(join(cwd, "told-2.md"), "utf8")).toContain("Tries left after this one: 1.");
    expect(readFileSync(join(cwd, "told-3.md"), "utf8")).toMatch(
      /Mend this first[\s\S]*last try[\s\S]*still red/,
    );
    const { events } = await board.events({ taskId: task.id });
    expect(events.filter(({ data }) => data["to"] === "done")).toEqual([]);
  });

  it("what a fix mends is done, and the verdict tells both tries", async () => {
    const board = await workshop.board();
    const task = await addTask(board, "Mendable");
    const runner = await workshop.runner(board, {
      exec: `if [ "$EDGEBOARD_CYCLE" = 2 ]; then touch fixed; fi; echo '{"inputTokens": 10}' > $EDGEBOARD_REPORT_FILE`,
      verify: "test -e fixed",
    });
    expect(await runner.ended).toMatchObject({ succeeded: 1 });
    const { task: after, executions } = await look(board, task.id);
    expect(after).toMatchObject({ status: "done", verification: { status: "pass" } });
    expect(after.verification?.attempts.map(({ status }) => status)).toEqual(["fail", "pass"]);
    // What both cycles used.
    expect(executions).toMatchObject([{ status: "succeeded", inputTokens: 20 }]);
  });

  it("a gate that does not exist is red", async () => {
    const board = await workshop.board();
    const task = await addTask(board, "Ungated");
    await (await workshop.runner(board, { exec: "true", verify: "no-such-command-here", maxFixes: 0 })).ended;
    const { task: after } = await look(board, task.id);
    expect(after).toMatchObject({ status: "blocked", verification: { status: "fail" } });
    expect(after.verification?.attempts[0]?.deterministic).toMatchObject({ passed: false, exitCode: 127 });
  });

  it("a token that may not record verdicts is refused before anything is claimed", async () => {
    const board = await workshop.board();
    const task = await addTask(board, "Untouched");
    const token = await workshop.tokenFor(board, "plain", "worker");
    const { Edgeboard } = await import("../../src/client/index.ts");
    const { run } = await import("./workshop.ts");
    const mine = new Edgeboard({ url: workshop.url, token }).board(await board.id());
    const runner = run(mine, { exec: "true", verify: "true", cwd: workshop.folder() });
    await expect(runner.ended).rejects.toThrow("only a worker's");
    expect((await look(board, task.id)).task).toMatchObject({ status: "todo", epoch: 0 });
  });
});

describe("worktrees", { timeout: 40_000 }, () => {
  it("two tasks that edit the same file run at once, each in its own, and are both kept and told", async () => {
    const board = await workshop.board();
    const repo = workshop.repository();
    const base = shell(repo, "git rev-parse HEAD");
    const [one, two] = [await addTask(board, "One"), await addTask(board, "Two")];
    const meeting = workshop.folder();
    // Neither ends before the other has begun.
    const exec = `echo "$EDGEBOARD_TASK_TITLE" > shared.txt; git commit --quiet -am "$EDGEBOARD_TASK_TITLE"
      touch "${meeting}/$EDGEBOARD_TASK_NUMBER"; while [ $(ls "${meeting}" | wc -l) -lt 2 ]; do sleep 0.05; done`;
    const runner = await workshop.runner(board, {
      cwd: repo,
      worktree: true,
      concurrency: 2,
      exec,
      verify: `grep -qx "$EDGEBOARD_TASK_TITLE" shared.txt`,
    });
    expect(await runner.ended).toMatchObject({ succeeded: 2 });
    expect(readFileSync(join(repo, "shared.txt"), "utf8")).toBe("as it was\n");
    for (const { id, number, title } of [one, two]) {
      const path = join(repo, "..", "repo.edgeboard", `n${number}`);
      expect(readFileSync(join(path, "shared.txt"), "utf8")).toBe(`${title}\n`);
      const { task, workspace, executions } = await look(board, id);
      expect(task).toMatchObject({ status: "done", branchRef: `edgeboard/n${number}`, worktreeRef: path });
      expect(workspace).toMatchObject({
        status: "active",
        repoPath: repo,
        worktreePath: path,
        baseSha: base,
      });
      const tip = shell(repo, `git rev-parse edgeboard/n${number}`);
      expect(executions).toMatchObject([{ beforeCommit: base, afterCommit: tip }]);
      expect(tip).not.toBe(base);
    }
  });

  it("an untouched one is gone, and archived on the board", async () => {
    const board = await workshop.board();
    const repo = workshop.repository();
    shell(repo, "echo ignored.log > .gitignore && git add . && git commit --quiet -m ignore");
    const task = await addTask(board, "Only looks");
    const exec = "echo x > ignored.log";
    await (await workshop.runner(board, { cwd: repo, worktree: true, exec })).ended;
    expect(shell(repo, "git worktree list | wc -l")).toBe("1");
    expect(shell(repo, "git branch --list 'edgeboard/*'")).toBe("");
    const { task: after, workspace } = await look(board, task.id);
    expect([after.status, workspace?.status]).toEqual(["done", "archived"]);
  });

  it("the next attempt goes on where a failed one stopped, and another board's task of that number does not", async () => {
    const repo = workshop.repository();
    const board = await workshop.board();
    const task = await addTask(board, "In two steps");
    const options = { cwd: repo, worktree: true };
    const exec = `[ -e half ] && exit 0; touch half; exit 1`;
    await (await workshop.runner(board, { ...options, exec })).ended;
    const between = await look(board, task.id);
    expect(between.executions?.[0]?.handoff?.evidence).toContain("Branch edgeboard/n1 in ");
    shell(repo, "git commit --quiet --allow-empty -m 'meanwhile on main'");
    const again = await workshop.runner(board, { ...options, exec });
    expect(await again.heard("worktree")).toMatchObject({ branch: "edgeboard/n1", goesOn: true });
    expect(await again.ended).toMatchObject({ succeeded: 1 });

    const other = await workshop.board();
    await addTask(other, "Somebody else's first");
    const stranger = await workshop.runner(other, { ...options, exec: "test ! -e half && touch mine" });
    expect(await stranger.ended).toMatchObject({ succeeded: 1 });
    expect(await stranger.heard("worktree")).toMatchObject({ goesOn: false });
  });

  it("a place that a living runner may still be at work in is left to it", async () => {
    const repo = workshop.repository();
    const board = await workshop.board();
    const task = await addTask(board, "Disputed");
    await (await workshop.runner(board, { cwd: repo, worktree: true, exec: "touch half; exit 1" })).ended;
    const note = join(repo, ".git", "worktrees", "n1", "edgeboard.json");
    const tenancy = JSON.parse(readFileSync(note, "utf8"));
    expect(tenancy).toMatchObject({ taskId: task.id, epoch: 1, owner: null });
    writeFileSync(note, JSON.stringify({ ...tenancy, owner: { host: hostname(), pid: process.ppid } }));
    const next = await workshop.runner(board, { cwd: repo, worktree: true, exec: "test ! -e half" });
    const { branch } = await next.heard("worktree");
    expect(branch).toBe(`edgeboard/n1-${task.id.slice(-8)}`);
    expect(await next.ended).toMatchObject({ succeeded: 1 });
  });

  it("work that changes no files gets none", async () => {
    const board = await workshop.board();
    const repo = workshop.repository();
    const task = await addTask(board, "Think", { kind: "research" });
    await (await workshop.runner(board, { cwd: repo, worktree: true, exec: "test -d .git" })).ended;
    const { task: after, workspace } = await look(board, task.id);
    expect([after.status, after.worktreeRef, workspace]).toEqual(["done", null, null]);
  });

  it("outside of a repository it says so, and claims nothing", async () => {
    const board = await workshop.board();
    const runner = await workshop.runner(board, { worktree: true, exec: "true" });
    await expect(runner.ended).rejects.toThrow("--worktree needs a git repository");
  });
});

describe("stopping", { timeout: 40_000 }, () => {
  /** Says its number, ignores what it can, and has a child in a session of its own that does too. */
  const stubborn = (folder: string) =>
    `trap '' TERM; echo $$ > "${folder}/shell.pid"
     setsid sh -c 'trap "" TERM; echo $$ > "${folder}/child.pid"; while :; do sleep 0.05; done' &
     while :; do sleep 0.05; done`;

  const pidsIn = async (folder: string) => {
    const files = ["shell.pid", "child.pid"].map((name) => join(folder, name));
    await vi.waitFor(() => {
      for (const file of files) expect(readFileSync(file, "utf8")).toMatch(/^\d+\n$/);
    }, PATIENT);
    return files.map((file) => readFileSync(file, "utf8").trim());
  };

  it("a lost lease ends the whole process tree within a second, and not a word is written after", async () => {
    const board = await workshop.board();
    const repo = workshop.repository();
    const task = await addTask(board, "Taken away");
    const folder = workshop.folder();
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith("edgeboard-work-"));
    const runner = await workshop.runner(board, {
      cwd: repo,
      worktree: true,
      exec: stubborn(folder),
      verify: "true",
    });
    const pids = await pidsIn(folder);
    expect(pids.map(isAlive)).toEqual([true, true]);
    await board.tasks.edit(task.id, { status: "todo", displace: true });
    const { seq } = await board.get();
    await runner.heard("lost");
    const lostAt = performance.now();
    expect(await runner.ended).toMatchObject({ lost: 1 });
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect(performance.now() - lostAt).toBeLessThan(1_000);
    expect((await board.get()).seq).toBe(seq);
    const after = await look(board, task.id);
    expect(after.task.verification).toBeNull();
    expect(after.workspace?.status).toBe("active");
    // The place stays as it was left, for whoever comes next.
    expect(shell(repo, "git branch --list 'edgeboard/*' --format='%(refname:short)'")).toBe("edgeboard/n1");
    const scratch = readdirSync(tmpdir()).filter((name) => name.startsWith("edgeboard-work-"));
    expect(scratch.filter((name) => !before.includes(name))).toEqual([]);
  });

  it("a person's cancel ends it and waits for a person", async () => {
    const board = await workshop.board();
    const task = await addTask(board, "Not any more");
    const folder = workshop.folder();
    const exec = `echo $$ > "${folder}/shell.pid"; cp "${folder}/shell.pid" "${folder}/child.pid"; sleep 60`;
    const runner = await workshop.runner(board, { exec });
    const pids = await pidsIn(folder);
    await board.tasks.stop(task.id, { mode: "cancel", reason: "changed our mind" });
    expect(await runner.ended).toMatchObject({ released: 1 });
    expect(pids.map(isAlive)).toEqual([false, false]);
    expect((await look(board, task.id)).task).toMatchObject({ status: "blocked" });
  });

  it("a drain lets the task end, and takes nothing new", async () => {
    const board = await workshop.board();
    const folder = workshop.folder();
    const task = await addTask(board, "The last one");
    const exec = `while [ ! -e "${folder}/go" ]; do sleep 0.05; done`;
    const runner = await workshop.runner(board, { exec, once: false });
    await runner.heard("claimed");
    const next = await addTask(board, "Left alone");
    await board.tasks.stop(task.id, { mode: "drain", reason: "maintenance" });
    await runner.heard("enough");
    shell(folder, "touch go");
    expect(await runner.ended).toEqual({ succeeded: 1, failed: 0, released: 0, lost: 0, unknown: 0 });
    expect((await look(board, next.id)).task).toMatchObject({ status: "todo", epoch: 0 });
  });

  it("a spent budget stops the command and gives the task back", async () => {
    const board = await workshop.board();
    const { task } = await board.tasks.create({ title: "Expensive", budgetUsd: 1 });
    const exec = `[ $EDGEBOARD_CYCLE = 2 ] && exec sleep 60; echo '{"costUsd": 2}' > "$EDGEBOARD_REPORT_FILE"`;
    const runner = await workshop.runner(board, { exec, verify: "false" });
    expect(await runner.ended).toMatchObject({ released: 1 });
    const after = await look(board, task.id);
    expect(after.task).toMatchObject({ status: "todo", costUsd: 2 });
    expect(after.executions?.[0]?.reason).toContain("budget_stop");
  });

  it("SIGINT gives the task back with what is known of it, and ends well", async () => {
    const board = await workshop.board();
    const task = await addTask(board, "Interrupted");
    const folder = workshop.folder();
    const exec = `${stubborn(folder).replace(
      "trap '' TERM;",
      `trap '
      echo "{\\"handoff\\": {\\"done\\": [\\"half\\"]}}" > "$EDGEBOARD_REPORT_FILE"; exit 1' TERM; echo halfway;`,
    )}`;
    const program = await workshop.program(board, ["--exec", exec]);
    const pids = await pidsIn(folder);
    program.kill("SIGINT");
    const [code] = await once(program, "exit");
    expect(code).toBe(0);
    expect(pids.map(isAlive)).toEqual([false, false]);
    const { task: after, executions } = await look(board, task.id);
    expect(after).toMatchObject({ status: "todo", attemptStreak: 0 });
    expect(executions).toMatchObject([{ status: "released", handoff: { done: ["half"] } }]);
    expect(executions?.[0]?.handoff?.evidence).toContain("halfway");
  });

  it("SIGKILL leaves nothing running; the board takes the task back, and the next one goes on in its worktree", async () => {
    const board = await workshop.board();
    const repo = workshop.repository();
    const task = await addTask(board, "Orphaned");
    const folder = workshop.folder();
    const exec = `echo half > shared.txt; echo $$ > "${folder}/shell.pid"; sleep 60 & echo $! > "${folder}/child.pid"; wait`;
    const program = await workshop.program(board, ["--worktree", "--exec", exec], repo);
    const pids = await pidsIn(folder);
    program.kill("SIGKILL");
    await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), PATIENT);
    await vi.waitFor(async () => expect((await look(board, task.id)).task.status).toBe("todo"), PATIENT);
    const next = await workshop.runner(
      board,
      { cwd: repo, worktree: true, exec: "grep -qx half shared.txt" },
      "next",
    );
    expect(await next.ended).toMatchObject({ succeeded: 1 });
    const { executions } = await look(board, task.id);
    expect(executions?.map(({ status }) => status)).toEqual(["timed_out", "succeeded"]);
  });
});
