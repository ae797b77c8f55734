/** Secrets in what commands printed are in no row, no event and no export, whichever way they came. */
import fc from "fast-check";
import { beforeAll, expect, it } from "vitest";
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
const verdict = (texts: object) => ({
  status: "fail",
  attempts: [{ attempt: 1, at: 1, deterministic: gate(texts), critic: { ran: false }, status: "fail" }],
  updatedAt: 1,
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
  const [first] = leaks as [Leak];
  const body = {
    leaseToken: lease.token,
    outcome: "failed",
    status: "blocked",
    summary: "It did not work.",
    handoff: {
      commands: { init: `${first.text} && npm ci` },
      evidence: leaks.map(({ text }) => text).join("\n\n"),
      next: "Go on.",
    },
  };
  const told = ["handoff.evidence", "handoff.commands.init"];
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

it("so are a release and a verdict", async () => {
  const leaks = ["github token", "openai key", "slack token", "google key"].map((name) => leakOf(name, 11));
  const [a, b, d, e] = leaks as [Leak, Leak, Leak, Leak];
  const released = await held();
  const body = {
    leaseToken: released.lease.token,
    handoff: { commands: { start: a.text }, evidence: b.text },
  };
  expect(ok(await call(worker, "POST", `${released.path}/release`, body)).masked).toEqual([
    "handoff.evidence",
    "handoff.commands.start",
  ]);
  const judged = await held();
  const result = verdict({ stdoutTail: d.text, stderrTail: e.text });
  const put = { epoch: judged.lease.epoch, result, leaseToken: judged.lease.token };
  const verifier = ok(await call(board.lead, "PUT", `${judged.path}/verification`, put));
  expect(verifier.masked).toEqual([
    "result.attempts.0.deterministic.stdoutTail",
    "result.attempts.0.deterministic.stderrTail",
  ]);
  const kept = await everything(board);
  for (const { secret } of leaks) expect(kept).not.toContain(secret);
});

it("an answer says nothing of masking where nothing was masked", async () => {
  const { path, lease } = await held();
  const body = { leaseToken: lease.token, outcome: "succeeded", status: "done", summary: "All 12 pass." };
  expect(ok(await call(worker, "POST", `${path}/complete`, body))).not.toHaveProperty("masked");
});

it("an import brings none in, in one body or in parts, and the report says with which runs and tasks", async () => {
  const [a, b, c] = [leakOf("pypi token"), leakOf("signed token"), leakOf("private key")];
  const source = exportOf(
    taskLine(1, { epoch: 1, verification: verdict({ stderrTail: a.text }) as never }),
    runLine("task-1", 1, { status: "failed", handoff: { evidence: c.text, commands: { init: b.text } } }),
  );
  const whole = await newBoard();
  const told = [
    "task-1.verification.attempts.0.deterministic.stderrTail",
    "run-task-1-1.handoff.evidence",
    "run-task-1-1.handoff.commands.init",
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

it("a holder's own words are kept to the letter", async () => {
  const { text } = leakOf("github token", 5);
  const { path, lease } = await held();
  const words = { summary: text, error: text, blockedReason: text, handoff: { next: text, done: [text] } };
  const body = { leaseToken: lease.token, outcome: "failed", status: "blocked", ...words };
  const answer = ok(await call(worker, "POST", `${path}/complete`, body));
  expect(answer).not.toHaveProperty("masked");
  expect(answer.execution).toMatchObject({ summary: text, error: text, handoff: words.handoff });
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
