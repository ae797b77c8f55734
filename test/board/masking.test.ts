/** Secrets in what commands printed are in no row, no event and no export, whichever way they came. */
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
import { does } from "../mcp/client.ts";
import { call, events, newBoard, ok, type TestBoard } from "../support/api.ts";
import { exportOf, runLine, taskLine } from "../support/export-lines.ts";
import { exported, sendImport } from "../support/exports.ts";
import { inside } from "../support/inside.ts";
import { anyLeak, LEAKS, type Leak } from "../support/secrets.ts";

/** Everything that is stored, as one text. */
async function everything(board: TestBoard): Promise<string> {
  const rows = await inside(board, ({ sql }) =>
    sql
      .all("select name from sqlite_master where type = 'table' and name not like '\\_cf\\_%' escape '\\'")
      .flatMap(({ name }) => sql.all(`select * from "${name}"`)),
  );
  return `${rows.map((row) => JSON.stringify(row)).join("\n")}\n${await exported(board)}`;
}

const leakOf = (name: string, seed = 7): Leak =>
  fc.sample(LEAKS[name] as fc.Arbitrary<Leak>, { numRuns: 1, seed })[0] as Leak;
const quoted = (text: string) => JSON.stringify(text).slice(1, -1);

const gate = (texts: object) => ({
  command: "npm test",
  exitCode: 1,
  passed: false,
  durationMs: 5,
  ...texts,
});
const verdict = (texts: object, rest: object = {}) => ({
  status: "fail",
  attempts: [{ attempt: 1, at: 1, deterministic: gate(texts), critic: { ran: false }, status: "fail" }],
  updatedAt: 1,
  ...rest,
});

let board: TestBoard;
let worker: string;

beforeAll(async () => {
  board = await newBoard({ maxAttempts: 0, caps: { maxRootCreates: 1_000 } });
  worker = await board.mint("ada");
});

async function held() {
  const { id } = await board.add({ title: "Work" });
  const { lease } = await board.claim(id, worker);
  return { path: `${board.path}/tasks/${id}`, lease };
}

it("a completion is masked before it is kept, says where, and says so again when it is repeated", async () => {
  const leaks = Object.keys(LEAKS).map((name) => leakOf(name));
  const { path, lease } = await held();
  const [first, second] = leaks as [Leak, Leak];
  const body = {
    leaseToken: lease.token,
    outcome: "failed",
    status: "blocked",
    summary: first.text,
    error: leaks.map(({ text }) => text).join("\n\n"),
    blockedReason: second.text,
    handoff: { commands: { init: `${first.text} && npm ci` }, evidence: second.text, next: "Go on." },
  };
  const told = ["summary", "error", "blockedReason", "handoff.evidence", "handoff.commands.init"];
  const answer = ok(await call(worker, "POST", `${path}/complete`, body));
  expect(answer.masked).toEqual(told);
  expect(answer.execution.handoff.commands.init).toBe("[masked: aws key id] && npm ci");
  expect(answer.execution.handoff.next).toBe("Go on.");
  expect(ok(await call(worker, "POST", `${path}/complete`, body)).masked).toEqual(told);
  const kept = await everything(board);
  const log = JSON.stringify(await events(board));
  for (const { secret } of leaks) {
    expect(kept).not.toContain(quoted(secret));
    expect(log).not.toContain(quoted(secret));
  }
});

it("so are a release, a run that is closed alone, and a verdict", async () => {
  const leaks = ["github token", "openai key", "npm token", "slack token", "google key"].map((name) =>
    leakOf(name, 11),
  );
  const [a, b, c, d, e] = leaks as [Leak, Leak, Leak, Leak, Leak];
  const released = await held();
  const body = { leaseToken: released.lease.token, reason: a.text, handoff: { warnings: ["none", b.text] } };
  expect(ok(await call(worker, "POST", `${released.path}/release`, body)).masked).toEqual([
    "reason",
    "handoff.warnings.1",
  ]);
  const closed = await held();
  const closing = { leaseToken: closed.lease.token, status: "failed", error: c.text };
  const answer = ok(
    await call(worker, "PATCH", `${board.path}/executions/${closed.lease.executionId}`, closing),
  );
  expect(answer.masked).toEqual(["error"]);
  const judged = await held();
  const result = verdict({ stdoutTail: d.text }, { structuredError: { what: "red", why: e.text } });
  const put = { epoch: judged.lease.epoch, result, leaseToken: judged.lease.token };
  const verifier = ok(await call(board.lead, "PUT", `${judged.path}/verification`, put));
  expect(verifier.masked).toEqual([
    "result.attempts.0.deterministic.stdoutTail",
    "result.structuredError.why",
  ]);
  const kept = await everything(board);
  for (const { secret } of leaks) expect(kept).not.toContain(secret);
});

it("an answer says nothing of masking where nothing was masked", async () => {
  const { path, lease } = await held();
  const body = { leaseToken: lease.token, outcome: "succeeded", status: "done", summary: "All 12 pass." };
  expect(ok(await call(worker, "POST", `${path}/complete`, body))).not.toHaveProperty("masked");
});

it("an agent that speaks MCP is told by the names of its own fields", async () => {
  const [a, b] = [leakOf("npm token", 3), leakOf("stripe key", 3)];
  const { path, lease } = await held();
  const finished = await does(worker, "finish_task", {
    task_id: path.split("/").at(-1),
    lease_token: lease.token,
    outcome: "failed",
    summary: `It printed ${a.text}`,
    warnings: [b.text],
  });
  expect(finished.masked).toEqual(["summary", "warnings"]);
  const kept = await everything(board);
  for (const { secret } of [a, b]) expect(kept).not.toContain(secret);
});

it("an import brings none in, in one body or in parts, and the report says with which runs and tasks", async () => {
  const [a, b, c] = [leakOf("pypi token"), leakOf("signed token"), leakOf("private key")];
  const source = exportOf(
    taskLine(1, { epoch: 1, verification: verdict({ stderrTail: a.text }) as never }),
    runLine("task-1", 1, { status: "failed", summary: b.text, handoff: { evidence: c.text } }),
  );
  const whole = await newBoard();
  const told = [
    "task-1.verification.attempts.0.deterministic.stderrTail",
    "run-task-1-1.summary",
    "run-task-1-1.handoff.evidence",
  ];
  expect(ok(await sendImport(whole, source)).masked).toEqual(told);
  const parted = await newBoard();
  const { id } = ok(await call(parted.lead, "POST", `${parted.path}/imports`, { format: "edgeboard" }), 201);
  const part = { "content-type": "text/plain" };
  ok(await call(parted.lead, "PUT", `${parted.path}/imports/${id}/parts/1`, source, part));
  expect(ok(await call(parted.lead, "POST", `${parted.path}/imports/${id}/commit`, {})).masked).toEqual(told);
  for (const each of [whole, parted]) {
    const kept = await everything(each);
    for (const { secret } of [a, b, c]) expect(kept).not.toContain(quoted(secret));
  }
});

it("whatever an agent writes elsewhere is kept to the letter", async () => {
  await fc.assert(
    fc.asyncProperty(anyLeak, async ({ text }) => {
      const title = text.replace(/\s/g, "").slice(0, 400);
      const { id } = await board.add({ title, description: text, labels: [title.slice(0, 60)] });
      const comment = ok(
        await call(worker, "POST", `${board.path}/tasks/${id}/comments`, { body: text }),
        201,
      ).comment;
      expect(comment.body).toBe(text);
      expect(await board.get(id)).toMatchObject({ title, description: text });
    }),
    { numRuns: 20, seed: 20_51 },
  );
});
