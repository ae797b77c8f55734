/** A board from its making to its end, by the command line alone, on a server it did not start. */
import { once } from "node:events";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CLIENTS } from "../../src/cli/connect-blocks.ts";
import { type Scratch, startScratch } from "../demo/scratch.ts";
import { buildProgram, home, type Options, type Program, type Ran, start } from "./program.ts";

let program: Program;
let server: Scratch;
const tokens: Record<string, string> = {};

/** As one of those who have a token; `as("lead")("list")`. */
const as =
  (who: string, options: Options = {}) =>
  (...args: string[]): Promise<Ran> =>
    program.run(args, {
      ...options,
      env: { EDGEBOARD_URL: server.url, EDGEBOARD_TOKEN: tokens[who] ?? "", ...options.env },
    });

/** One that goes on until it is stopped. */
const started = (who: string, ...args: string[]) =>
  start(program.path, args, {
    ...home(program.folder),
    EDGEBOARD_URL: server.url,
    EDGEBOARD_TOKEN: tokens[who] ?? "",
  });

const ok = async (running: Promise<Ran>): Promise<Ran> => {
  const ran = await running;
  expect(ran, ran.err).toMatchObject({ code: 0 });
  return ran;
};

const file = (name: string, content: string): string => {
  const path = join(program.folder, name);
  writeFileSync(path, content);
  return path;
};

beforeAll(async () => {
  [program, server] = await Promise.all([buildProgram(), startScratch()]);
  tokens["operator"] = server.operatorToken;
}, 120_000);

afterAll(async () => {
  await server?.stop();
  program?.remove();
});

describe("boards and tokens", { timeout: 120_000 }, () => {
  it("the operator makes a board, and its lead token is on standard output", async () => {
    const made = await ok(as("operator")("board", "create", "Compiler", "--id", "compiler", "--json"));
    expect(made.json).toMatchObject({
      board: { id: "compiler", name: "Compiler" },
      token: expect.any(String),
    });
    tokens["lead"] = made.json.token;
    const boards = await ok(as("operator")("board", "list"));
    expect(boards.out).toMatch(/^compiler\s+Compiler/m);
  });

  it("a minted token alone is on standard output, ready for a variable", async () => {
    for (const [agent, ...more] of [["ada"], ["bob"], ["vera", "-r", "verifier"]] as const) {
      const minted = await ok(as("lead")("token", "create", agent, ...more, "--expires", "1d"));
      expect(minted.out).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
      tokens[agent] = minted.out.trim();
    }
    const listed = await ok(as("lead")("token", "list"));
    expect(listed.out).toMatch(/ada\s+worker/);
    expect(listed.out).toMatch(/vera\s+verifier/);
  });

  it("a revoked token is good for nothing", async () => {
    const { json } = await ok(as("lead")("token", "create", "gone", "--json"));
    tokens["gone"] = json.token;
    await ok(as("gone")("ready"));
    await ok(as("lead")("token", "revoke", json.info.id));
    expect(await as("gone")("ready")).toMatchObject({ code: 3, out: "" });
  });

  it("a board shows its counts and settings", async () => {
    const shown = await ok(as("ada")("board", "show"));
    expect(shown.out).toMatch(/^compiler {2}Compiler\n/);
    expect(shown.out).toMatch(/leaseTtlMs\s+180000/);
  });

  it("a login is kept for its owner alone, and is told to no other server", async () => {
    const env = { XDG_CONFIG_HOME: join(program.folder, "login"), EDGEBOARD_TOKEN: "", EDGEBOARD_URL: "" };
    const login = (options: Options, ...args: string[]) => as("", { env, ...options })(...args);
    const signedIn = await ok(login({ input: `${tokens["ada"]}\n` }, "login", `${server.url}/`));
    expect(signedIn.out).toBe(`Signed in at ${server.url} as ada, worker on compiler.\n`);
    const kept = join(program.folder, "login/edgeboard/login.json");
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    await ok(login({}, "ready"));
    const elsewhere = await login({}, "ready", "--url", "http://127.0.0.1:1");
    expect(elsewhere).toMatchObject({ code: 3 });
    expect(elsewhere.err).toContain("There is no token for http://127.0.0.1:1.");
    await ok(login({}, "login", "--forget"));
    expect(await login({}, "ready", "--url", server.url)).toMatchObject({ code: 3 });
  });

  it("a token that is no good is not kept", async () => {
    const env = { XDG_CONFIG_HOME: join(program.folder, "wrong"), EDGEBOARD_TOKEN: "" };
    expect(await as("", { env, input: "x.y.z" })("login", server.url)).toMatchObject({ code: 3 });
    expect(await as("", { env })("ready")).toMatchObject({ code: 3 });
  });
});

describe("tasks", { timeout: 120_000 }, () => {
  it("are added, listed and shown", async () => {
    const parser = ["Write the parser", "-p", "5", "-l", "backend", "-l", "core"];
    expect((await ok(as("lead")("add", ...parser))).out).toBe("n1  todo  Write the parser\n");
    const { json } = await ok(
      as("lead", { input: "All of\nthe corpus.\n" })(
        ...["add", "Test the parser", "--after", "n1", "--description", "-", "--json"],
      ),
    );
    expect(json.task).toMatchObject({ number: 2, description: "All of\nthe corpus.", openDependencies: 1 });
    const ready = await ok(as("ada")("ready", "--json"));
    expect(ready.json.tasks.map(({ number }: { number: number }) => number)).toEqual([1]);
    expect(ready.json.tasks[0]).toMatchObject({ priority: 5, labels: ["backend", "core"] });
    expect((await ok(as("ada")("list"))).out).toMatch(/^n2\s+todo, waits for 1\s+Test the parser/m);
    const shown = await ok(as("ada")("show", "#2"));
    expect(shown.out).toContain("Waits for\n  n1  todo  Write the parser");
    expect((await ok(as("ada")("explain", "2"))).out).toMatch(/not_ready.*\n.*Claim n1/);
  });

  it("are found by their words, and all of them by as many pages as it takes", async () => {
    const found = await ok(as("ada")("list", "-q", "CORPUS", "--json"));
    expect(found.json.tasks).toHaveLength(1);
    const paged = await ok(as("ada")("list", "-n", "1", "--json"));
    expect(paged.json).toMatchObject({ tasks: [{ number: 2 }], hasMore: true });
    expect((await ok(as("ada")("list", "--all", "--json"))).json).toMatchObject({ hasMore: false });
  });

  it("are edited, unless somebody was faster", async () => {
    await ok(as("lead")("edit", "n2", "-t", "Test it", "-p", "7", "--if-version", "1"));
    const late = await as("lead")("edit", "n2", "-t", "Late", "--if-version", "1");
    expect(late).toMatchObject({ code: 4, out: "" });
    const { json } = await ok(as("lead")("show", "n2", "--json"));
    expect(json.task).toMatchObject({ title: "Test it", priority: 7, version: 2 });
    await ok(as("lead")("edit", "n1", "-l", "none", "--not-before", "2h"));
    const cleared = await ok(as("lead")("edit", "n1", "--not-before", "none", "--json"));
    expect(cleared.json.task).toMatchObject({ labels: [], notBefore: null });
  });

  it("are linked, unlinked, commented and moved", async () => {
    await ok(as("lead")("add", "Write the manual"));
    await ok(as("lead")("link", "n3", "n2", "--on-cancel", "satisfy"));
    const ring = await as("lead")("link", "n2", "n3");
    expect(ring).toMatchObject({ code: 4 });
    expect(ring.err).toMatch(/^edgeboard: .*Unlink one edge of the path first\.\n$/);
    await ok(as("lead")("unlink", "n3", "n2"));
    await ok(as("ada", { input: "In two\nlines." })("comment", "n3", "-"));
    expect((await ok(as("ada")("show", "n3"))).out).toMatch(/ada, \d+ s ago: In two\n {4}lines\./);
    expect((await ok(as("lead")("move", "n3", "backlog"))).out).toBe("n3  backlog  Write the manual\n");
  });
});

describe("work", { timeout: 120_000 }, () => {
  it("goes from claim to done without a word about the lease", async () => {
    const claimed = await ok(as("ada")("claim"));
    expect(claimed.out).toMatch(/^n1 {2}Write the parser\n/);
    expect(claimed.out + claimed.err).not.toContain(tokens["ada"]);
    const beat = await ok(as("ada")("beat", "n1", "-m", "half", "--cost", "0.40", "--json"));
    expect(beat.json).toMatchObject({ directives: [], lease: { ttlMs: 180_000 } });
    const done = await ok(as("ada")("done", "n1", "--summary", "Parses all.", "--cost", "0.10"));
    expect(done.out).toBe("n1  done  Write the parser\n  n2 is ready now: Test it\n");
    const { json } = await ok(as("ada")("show", "n1", "--json"));
    expect(json.task).toMatchObject({ status: "done", costUsd: 0.5 });
    expect(json.executions).toMatchObject([
      { status: "succeeded", summary: "Parses all.", progress: "half" },
    ]);
  });

  it("is told what was said of the blockers, and what the last holder left", async () => {
    expect((await ok(as("ada")("claim", "n2"))).out).toContain("n1  Parses all.");
    await ok(as("ada")("release", "--next", "Go on with unicode.", "-r", "Out of time."));
    expect((await ok(as("bob")("claim", "n2"))).out).toContain("next: Go on with unicode.");
  });

  it("of agents on one machine is kept apart by their tokens", async () => {
    const foreign = await as("ada")("done", "n2");
    expect(foreign).toMatchObject({ code: 4, out: "" });
    expect(foreign.err).toContain("Claim it, give its lease by --lease");
    const lost = await as("ada")("claim", "n2");
    expect(lost).toMatchObject({ code: 4 });
    expect(lost.err).toMatch(/^edgeboard: .*bob.*\n$/);
    await ok(as("bob")("beat"));
  });

  it("of agents with one token is kept apart by EDGEBOARD_STATE", async () => {
    await ok(as("lead")("add", "One more"));
    const other = { env: { EDGEBOARD_STATE: join(program.folder, "other") } };
    await ok(as("bob", other)("claim", "n4"));
    expect((await ok(as("bob")("beat"))).out).toMatch(/^n2 is held/);
    expect((await ok(as("bob", other)("beat"))).out).toMatch(/^n4 is held/);
    await ok(as("bob", other)("release"));
  });

  it("hears that it has to stop, and a stopped task is given back", async () => {
    await ok(as("lead")("stop", "n2", "-r", "The plan has changed."));
    expect((await ok(as("bob")("beat", "n2"))).err).toContain("Stop n2 (cancel): The plan has changed.");
    await ok(as("bob")("block", "n2", "Needs a person."));
    expect((await ok(as("lead")("show", "n2"))).out).toMatch(/status +blocked\n +why +Needs a person\./);
    await ok(as("lead")("move", "n2", "todo"));
  });

  it("that is lost says so, and its lease is kept no longer", async () => {
    await ok(as("bob")("claim", "n2"));
    await ok(as("lead")("move", "n2", "todo", "--displace"));
    const lost = await as("bob")("beat", "n2");
    expect(lost).toMatchObject({ code: 4 });
    expect(lost.err).toContain("Stop working on it");
    expect(await as("bob")("beat")).toMatchObject({
      code: 2,
      err: expect.stringContaining("No task is held"),
    });
  });

  it("that failed is offered again; in review it waits for somebody else", async () => {
    await ok(as("bob")("claim", "n2"));
    expect((await ok(as("bob")("done", "--failed", "--error", "No network."))).out).toMatch(/^n2 {2}todo/);
    await ok(as("bob")("claim", "n4"));
    expect((await ok(as("bob")("done", "--review", "--commit", "3f2c1ab"))).out).toMatch(/^n4 {2}in_review/);
    await ok(as("vera")("move", "n4", "done"));
  });

  it("where there is none is exit code 1, and waiting for it ends by its time", async () => {
    const none = await as("ada")("claim", "-l", "nobody-has-this", "--wait", "1s");
    expect(none).toMatchObject({ code: 1, out: "" });
    expect(none.err).toMatch(/^edgeboard: There is nothing to claim\..*--wait.*\n$/);
  });

  it("goes on beating by itself until the task is done", async () => {
    await ok(as("lead")("add", "A long one", "-l", "long"));
    await ok(as("ada")("claim", "-l", "long"));
    const beating = started("ada", "beat", "--keep");
    const ended = once(beating, "exit");
    expect(String((await once(beating.stderr, "data"))[0])).toMatch(/^Beating for n\d+\.\n$/);
    await ok(as("ada")("done", "-m", "Done."));
    beating.kill("SIGTERM");
    expect((await ended)[0]).toBe(0);
  });
});

describe("plans, imports and exports", { timeout: 120_000 }, () => {
  it("a plan is created whole, or only tried", async () => {
    const tasks = [
      { ref: "a", title: "First" },
      { ref: "b", title: "Second", dependsOn: ["a"] },
    ];
    const path = file("plan.json", JSON.stringify({ tasks }));
    const before = (await ok(as("lead")("board", "show", "--json"))).json.seq;
    expect((await ok(as("lead")("plan", path, "--dry-run"))).out).toBe(
      "The plan is sound: 2 tasks and 1 edge.\n",
    );
    expect((await ok(as("lead")("board", "show", "--json"))).json.seq).toBe(before);
    const made = await ok(as("lead", { input: JSON.stringify(tasks) })("plan", "-", "--json"));
    expect(made.json).toMatchObject({ tasks: [{ ref: "a" }, { ref: "b" }], edges: 1 });
  });

  it("an export is whole in its file, and comes in again without a change", async () => {
    const path = join(program.folder, "board.ndjson");
    await ok(as("lead")("export", "-o", path));
    const lines = readFileSync(path, "utf8").trimEnd().split("\n");
    expect([lines.at(0), lines.at(-1)].map((line) => JSON.parse(line ?? "").type)).toEqual(["board", "end"]);
    const again = await ok(as("lead")("import", path, "--json"));
    expect(again.json).toMatchObject({ created: 0, updated: 0, issues: [] });
    const piped = await ok(as("lead")("export"));
    await ok(as("operator")("board", "create", "Copy", "--id", "copy"));
    const copied = as("operator", { input: piped.out, env: { EDGEBOARD_BOARD: "copy" } });
    expect((await ok(copied("import", "-", "--json"))).json).toMatchObject({ created: 7 });
  });

  it("what is larger than one request goes in parts by itself", async () => {
    // Umlauts, so that a part may end within a character.
    const issues = Array.from({ length: 500 }, (_, at) =>
      JSON.stringify({
        id: `big-${at}`,
        title: `Größe ${at}`,
        status: "open",
        description: "ä".repeat(10_000),
        created_at: "2026-01-01T00:00:00Z",
        updated_at: "2026-01-01T00:00:00Z",
      }),
    );
    const path = file("big.jsonl", issues.join("\n"));
    expect(statSync(path).size).toBeGreaterThan(8_388_608);
    await ok(as("operator")("board", "create", "Big", "--id", "big"));
    const big = as("operator", { env: { EDGEBOARD_BOARD: "big" } });
    expect((await ok(big("import", path, "--dry-run"))).out).toMatch(/^It would be: 500 created/);
    expect((await ok(big("import", path))).out).toMatch(/^500 created/);
    const found = await ok(big("list", "--ref", "big-499", "--json"));
    expect(found.json.tasks[0].description).toBe("ä".repeat(10_000));
  });

  it("what cannot be imported is named line by line", async () => {
    const path = file("broken.jsonl", '{"id":"x","title":""}\n');
    const refused = await as("lead")("import", path);
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/^edgeboard: .*title.*\n$/);
    expect(await as("lead")("import", join(program.folder, "nowhere.jsonl"))).toMatchObject({ code: 1 });
  });
});

describe("what a board says of itself", { timeout: 120_000 }, () => {
  it("numbers and what needs a person", async () => {
    expect((await ok(as("ada")("stats"))).out).toMatch(/^ada\s+2/m);
    expect((await ok(as("ada")("stats", "--json"))).json.byAgent).toContainEqual(
      expect.objectContaining({ agentId: "ada" }),
    );
    await ok(as("lead")("move", "n2", "in_progress"));
    expect((await ok(as("ada")("stuck"))).out).toMatch(/^n2\s+no_lease/m);
    expect((await ok(as("ada")("stuck", "-r", "overrun"))).out).toBe("Nothing needs a person.\n");
  });

  it("who used a privilege, and all of it as a file", async () => {
    const shown = await ok(as("lead")("audit", "-k", "token_minted"));
    expect(shown.out).toMatch(/^\S.*\s+lead\s+token_minted/m);
    const { entries } = (await ok(as("ada")("audit", "--json", "-n", "200"))).json;
    const lines = (await ok(as("ada")("audit", "--export"))).out.trimEnd().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toEqual({ type: "end", entries: entries.length });
    expect(lines).toHaveLength(entries.length + 1);
  });

  it("a key that is handed on is masked, and that is told beside the answer", async () => {
    await ok(as("lead")("add", "Leaks"));
    const claimed = (await ok(as("ada")("claim", "--json"))).json;
    const key = `npm_${"k9".repeat(18)}`;
    const done = await ok(as("ada")("done", `n${claimed.task.number}`, "--next", `Use ${key}.`));
    expect(done.err).toContain("Secrets were masked in handoff.next.");
    expect((await ok(as("ada")("show", `n${claimed.task.number}`, "--json"))).out).not.toContain(key);
  });

  it("changes are told line by line, from any place in the log, until it is stopped", async () => {
    const args = ["watch", "--after", "0", "-k", "execution_completed", "-k", "comment_added", "--json"];
    const watching = started("ada", ...args);
    const lines: string[] = [];
    let heard = () => {};
    const news = new Promise<void>((resolve) => {
      heard = resolve;
    });
    watching.stdout.on("data", (data: Buffer) => {
      lines.push(...data.toString().trimEnd().split("\n"));
      if (lines.some((line) => line.includes("comment_added") && line.includes("n-o-w"))) heard();
    });
    await ok(as("ada")("comment", "n1", "n-o-w"));
    await news;
    watching.kill("SIGINT");
    expect((await once(watching, "exit"))[0]).toBe(0);
    const kinds = new Set(lines.map((line) => JSON.parse(line).kind));
    expect([...kinds].sort()).toEqual(["comment_added", "execution_completed"]);
  });

  it("what a client has to be told has no token in it", async () => {
    for (const client of CLIENTS) {
      const { out } = await ok(as("ada")("connect", client));
      expect(out).toContain(server.url);
      expect(out).not.toContain(tokens["ada"]);
    }
  });
});

describe("a refusal is one line with the next step, and an exit code", { timeout: 120_000 }, () => {
  it.each([
    [3, "ada", ["import", "-"], /lead/],
    [3, "nobody", ["list"], /edgeboard login/],
    [1, "lead", ["show", "n999"], /edgeboard list/],
    [4, "lead", ["claim", "n1"], /done.*next ready task/],
    [4, "lead", ["move", "n1", "todo"], /done/],
    [4, "ada", ["move", "n5", "in_progress"], /claim/],
    [2, "lead", ["add", " "], /title/],
    [2, "operator", ["list"], /--board/],
    [4, "operator", ["board", "create", "x", "--id", "compiler"], /--id/],
    [2, "operator", ["board", "delete", "compiler"], /--yes/],
  ] as const)("%i: %s says %j", async (code, who, args, words) => {
    const refused = await as(who, { input: "{}" })(...args);
    expect(refused).toMatchObject({ code, out: "" });
    expect(refused.err).toMatch(words);
    expect(refused.err).toMatch(/^edgeboard: [^\n]+\n$/);
  });

  it("or as JSON, where JSON was asked for", async () => {
    const { err, code, out } = await as("lead")("claim", "n1", "--json");
    expect([code, out]).toEqual([4, ""]);
    expect(err).toMatch(/^\{[^\n]*\}\n$/);
    expect(JSON.parse(err)).toMatchObject({
      code: "terminal",
      status: 409,
      exit: 4,
      hint: expect.any(String),
    });
  });

  it("and a server that is not there is exit code 5", async () => {
    const gone = await as("lead", { env: { EDGEBOARD_BUDGET_S: "0" } })(
      "comment",
      "n1",
      "x",
      "--url",
      "http://127.0.0.1:1",
    );
    expect(gone).toMatchObject({ code: 5, out: "" });
    expect(gone.err).toMatch(/^edgeboard: http:\/\/127\.0\.0\.1:1 cannot be reached: [^\n]+\n$/);
  });
});

it("a board is deleted for good", { timeout: 120_000 }, async () => {
  await ok(as("operator")("board", "delete", "copy", "--yes"));
  expect((await ok(as("operator")("board", "list", "--json"))).json.boards).not.toContainEqual(
    expect.objectContaining({ id: "copy" }),
  );
});
