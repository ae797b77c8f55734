/**
 * A board with a fleet at work on it, for looking at: of every kind of task one, and every reason to be stuck.
 * `node test/browser/scene.ts <url> <operator token> [board]` makes one by hand.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { type Board, Edgeboard, type Lease } from "../../src/client/index.ts";

const PLAN = join(import.meta.dirname, "../demo/plan.beads.jsonl");
const AGENTS = [
  { agentId: "claude-anna", runtime: "claude-code" },
  { agentId: "claude-bo", runtime: "claude-code" },
  { agentId: "codex-mill", runtime: "codex" },
  { agentId: "cursor-dee", runtime: "cursor" },
] as const;

export interface Scene {
  /** The board, as its lead. */
  lead: Board;
  leadToken: string;
  workers: Board[];
  /** Leases that are held. */
  held: Lease[];
}

export async function setScene(url: string, operatorToken: string, id: string): Promise<Scene> {
  const operator = new Edgeboard({ url, token: operatorToken });
  const { token: leadToken } = await operator.createBoard({
    id,
    name: "Notes service",
    settings: { leaseTtlMs: 600_000, maxAttempts: 2, backoff: { firstMs: 0, stepMs: 0, maxMs: 0 } },
  });
  const lead = new Edgeboard({ url, token: leadToken }).board(id);
  const workers: Board[] = [];
  for (const agent of AGENTS) {
    const { token } = await lead.mintToken({ ...agent, role: "worker", capabilities: ["node"] });
    workers.push(new Edgeboard({ url, token }).board(id));
  }
  await lead.import(readFileSync(PLAN, "utf8"), { format: "beads" });
  for (let round = 0; round < 16; round++) await workOne(workers[round % workers.length] as Board, round);
  const held = await holdSome(workers);
  await strand(lead, workers[0] as Board);
  return { lead, leadToken, workers, held };
}

/** One task from its claim to its end: mostly done, now and then failed or left for review. */
async function workOne(worker: Board, round: number): Promise<void> {
  const claim = await worker.claimNext();
  if (claim === null) return;
  const { lease } = claim;
  const usage = {
    inputTokens: 18_000 + round * 900,
    outputTokens: 2_400 + round * 130,
    costUsd: 0.18 + round * 0.03,
  };
  await lease.heartbeat({ progress: "reading the code", usage });
  if (round === 5) {
    await lease.complete({
      outcome: "failed",
      status: "todo",
      error: "Two tests of the parser fail on empty input.",
    });
    return;
  }
  const review = round === 9 || round === 14;
  await lease.complete({
    outcome: "succeeded",
    status: review ? "in_review" : "done",
    summary: "Done as described, with tests; the build is green.",
    afterCommit: `${(round + 11).toString(16)}f3c9ab7d20e41`,
    handoff: { done: ["code", "tests"], next: "Nothing is left open.", evidence: "npm test: 214 passed" },
  });
}

async function holdSome(workers: Board[]): Promise<Lease[]> {
  const held: Lease[] = [];
  for (const [index, worker] of workers.entries()) {
    const claim = await worker.claimNext();
    if (claim === null) continue;
    const progress = [
      "writing tests",
      "reading the schema",
      "running the migration twice",
      "waiting for npm",
    ][index];
    await claim.lease.heartbeat({
      progress,
      usage: { inputTokens: 9_000, outputTokens: 800, costUsd: 0.07 },
    });
    held.push(claim.lease);
  }
  return held;
}

/** Of each reason to be stuck one, and things people say. */
async function strand(lead: Board, worker: Board): Promise<void> {
  const dropped = await lead.tasks.create({ title: "Choose a payment provider", priority: 4 });
  await lead.tasks.create({
    title: "Charge customers monthly",
    description: "Waits for the provider. Nobody will choose one any more.",
    dependsOn: [dropped.task.id],
    labels: ["billing"],
  });
  await lead.tasks.edit(dropped.task.id, { status: "cancelled" });
  const hardware = await lead.tasks.create({
    title: "Measure on a GPU",
    requiredCapabilities: ["gpu"],
    labels: ["perf"],
  });
  await lead.tasks.comment(hardware.task.id, "Who has a machine for this?");
  const byHand = await lead.tasks.create({ title: "Ask the customer about the export format", priority: 1 });
  await lead.tasks.edit(byHand.task.id, { status: "in_progress" });
  const { task } = await lead.tasks.create({
    title: "Make the flaky import test pass",
    priority: 0,
    labels: ["tests"],
  });
  for (let attempt = 0; attempt < 2; attempt++) {
    const { lease } = await worker.claim(task.id);
    await lease.complete({
      outcome: "failed",
      status: "blocked",
      error: "It passes alone and fails beside others.",
      blockedReason: "Needs somebody who knows the fixtures.",
    });
    if (attempt === 0) await lead.tasks.edit(task.id, { status: "todo" });
  }
  await lead.tasks.create({
    title: "Show <script>alert('x')</script> & \u202Eright-to-left\u202C titles as text",
    description: "<img src=x onerror=alert(1)> and a [link](javascript:alert(1)).",
    status: "backlog",
  });
}

if (argv[1] === import.meta.filename) {
  const [, , url = "", token = "", board = "scene"] = argv;
  const { leadToken } = await setScene(url, token, board);
  console.log(leadToken);
}
