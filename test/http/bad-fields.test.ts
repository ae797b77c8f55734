/** What is wrong with single fields and parameters: each is named by its path, and nothing is stored. */
import { expect, it } from "vitest";
import type { Route } from "../../src/contract/route.ts";
import { ROUTES } from "../../src/contract/routes.ts";
import { newScene, sampleOf, sendChanged, VERDICT } from "./samples.ts";
import { invalid, standing } from "./support.ts";

const emoji = (count: number) => "😀".repeat(count);
const LONG = "x".repeat(20_001);
const NUL = "a\u0000b";
const HIGH = "a\ud83d";
const LOW = "\ude00a";
const BAD_LABELS = [
  ["", "0"],
  ["x".repeat(65), "0"],
  [NUL, "0"],
  [7, "0"],
] as const;

/** Field, then the values it may not have. */
type Faults = Record<string, unknown[]>;

const TEXT = { title: ["", "  \n\t", "x".repeat(501), emoji(501), NUL, HIGH, LOW, 7, null, ["x"]] };
const OFFSETS = {
  priority: [1.5, 10, -1, "1", null, 1e21, Number.MAX_SAFE_INTEGER],
  budgetUsd: [-0.01, "1", 1e10],
};
const TASK: Faults = {
  ...TEXT,
  ...OFFSETS,
  description: [LONG, NUL, HIGH, 7, null],
  status: ["done", "in_progress", "cancelled", "", "TODO", 1],
  labels: ["a", [...Array(21).keys()].map(String), null],
  requiredCapabilities: ["a", Array(21).fill("a")],
  kind: ["", " ", "x".repeat(65), NUL],
  notBefore: [-1, 1.5, 4_102_444_800_001, "2026-01-01", 1e300],
  teamId: ["", "x".repeat(501), HIGH],
  externalRef: ["", " ", NUL],
  assigneeRuntime: ["x".repeat(129)],
};

const BODY_FAULTS: [Route, Faults][] = [
  [
    ROUTES.createBoard,
    {
      id: ["Upper", "-a", "", "a".repeat(64), "a_b", 7, "ä"],
      name: ["", " ", "x".repeat(201), NUL, HIGH, undefined, 7],
      settings: [7, null, []],
      locationHint: ["moon", ""],
    },
  ],
  [
    ROUTES.changeBoard,
    { name: ["", NUL, null], paused: ["yes", 1, null], archived: ["no"], settings: ["fast"] },
  ],
  [
    ROUTES.mintToken,
    {
      agentId: ["", " ", "x".repeat(129), NUL, undefined, 7],
      role: ["operator", "admin", "", undefined],
      runtime: ["", HIGH],
      capabilities: ["write", Array(21).fill("a")],
      expiresInS: [0, -1, 1.5, 315_360_001, "60", null],
    },
  ],
  [
    ROUTES.createTask,
    {
      ...TASK,
      title: [...TEXT.title, undefined],
      parentTaskId: ["", "x".repeat(65), 7],
      dependsOn: ["x", Array(201).fill("x")],
    },
  ],
  [
    ROUTES.changeTask,
    {
      ...TASK,
      status: ["nope", "", null, 1],
      leaseToken: [7, null, "x".repeat(2_001)],
      humanOverride: ["yes", 1],
      displace: ["true", null],
      overrideReason: [LONG, NUL],
      blockedReason: [LONG, HIGH, 7],
      parentTaskId: ["", 7],
    },
  ],
  [ROUTES.addComment, { body: ["", " \n", LONG, emoji(20_001), NUL, HIGH, LOW, 7, null, undefined] }],
  [
    ROUTES.claimTask,
    {
      runtime: ["", "x".repeat(129), NUL],
      assigneeAgentId: ["", 7],
      ignoreDepth: [1],
      ignoreDependencies: ["yes"],
      runReason: [LONG],
      beforeCommit: ["x".repeat(129)],
      executorType: [""],
    },
  ],
  [
    ROUTES.claimNext,
    {
      limit: [0, 11, 1.5, -1, "1", null],
      waitMs: [-1, 25_001, 0.5, "1"],
      labels: ["a"],
      teamId: [""],
      kind: [" "],
    },
  ],
  [ROUTES.heartbeat, { progress: ["x".repeat(2_001), NUL], usage: [7], leaseToken: [null] }],
  [ROUTES.heartbeats, { leases: [[], Array(101).fill({ taskId: "n1" }), "x", undefined] }],
  [
    ROUTES.completeTask,
    {
      outcome: ["maybe", "", undefined, null],
      status: ["cancelled", "in_progress", "todo", "blocked", undefined],
      summary: [LONG, NUL],
      error: [HIGH],
      inputTokens: [-1, 1.5, 1e13, "1"],
      costUsd: [-1, 1e10],
      handoff: [7, null],
    },
  ],
  [ROUTES.releaseTask, { reason: [LONG, NUL], handoff: ["next"] }],
  [ROUTES.startExecution, { beforeCommit: ["x".repeat(129), NUL], runtime: [" "] }],
  [
    ROUTES.linkDependency,
    { dependsOnTaskId: ["", 7, undefined, "x".repeat(65)], onCancel: ["explode", null] },
  ],
  [ROUTES.setVerification, { epoch: [-1, 1.5, "1", undefined], result: [null, 7, undefined] }],
  [ROUTES.stopTask, { mode: ["kill", "", undefined], reason: ["", " ", "x".repeat(2_001), NUL, undefined] }],
  [ROUTES.requestChanges, { notes: ["", "\n", LONG, HIGH, undefined, 7] }],
  [ROUTES.beginImport, { format: ["nope", "", undefined], reset: ["yes", null] }],
  [ROUTES.commitImport, { dryRun: ["true", 1] }],
  [ROUTES.restoreArchive, { dryRun: ["true", 1], into: ["", "A", null] }],
  [ROUTES.reconcile, { pass: ["all", "", undefined], staleAfterMs: [-1, 1.5, "1", 3_600_001] }],
  [
    ROUTES.closeExecution,
    { status: ["running", "released", "", undefined], error: [NUL], costUsd: [-1], outputTokens: [0.5] },
  ],
  [
    ROUTES.createWorkspace,
    { repoPath: ["", " ", undefined, NUL, "x".repeat(4_097)], branch: [""], baseSha: ["x".repeat(129)] },
  ],
  [ROUTES.changeWorkspace, { status: ["gone", "", undefined], lastUsedAt: [-1, "now", 1.5] }],
  [
    ROUTES.createWebhook,
    {
      url: [
        "",
        " ",
        "nonsense",
        "http://example.com",
        "https://10.0.0.1",
        undefined,
        7,
        NUL,
        HIGH,
        `https://a.b/${LONG}`,
      ],
      kinds: [[], "task_created", 7],
    },
  ],
  [ROUTES.changeWebhook, { url: ["", "https://localhost", null], kinds: [[]], disabled: ["yes", 1, null] }],
  [ROUTES.createPlan, { tasks: [[], "x", undefined, null], dryRun: ["true"] }],
];

it.each(BODY_FAULTS.map(([route, faults]) => ({ id: route.id, route, faults })))(
  "$id names each field it cannot take, and stores nothing",
  async ({ route, faults }) => {
    const scene = await newScene();
    const sample = sampleOf(route, scene);
    const tasks = [scene.open.id, scene.held.id];
    const before = await standing(scene.board, ...tasks);
    for (const [field, values] of Object.entries(faults))
      for (const value of values) {
        const shown = `${field} ${String(JSON.stringify(value)).slice(0, 40)}`;
        invalid(await sendChanged(route, sample, { [field]: value }), field, shown);
      }
    expect(await standing(scene.board, ...tasks)).toBe(before);
  },
);

it("a fault deep in a body is named by its whole path", async () => {
  const scene = await newScene();
  const before = await standing(scene.board, scene.open.id, scene.held.id);
  const plan = (...tasks: object[]) => ({ tasks });
  const attempt = VERDICT.attempts[0] as (typeof VERDICT.attempts)[0];
  const verdict = (changes: object) => ({ result: { ...VERDICT, attempts: [{ ...attempt, ...changes }] } });
  const edges = Array.from({ length: 3_000 }, (_, index) => `r${index}`);
  const deep: [Route, string, object][] = [
    [ROUTES.createPlan, "tasks.0.title", plan({ ref: "a" })],
    [
      ROUTES.createPlan,
      "tasks.1.priority",
      plan({ ref: "a", title: "a" }, { ref: "b", title: "b", priority: 10 }),
    ],
    [ROUTES.createPlan, "tasks.1.ref", plan({ ref: "a", title: "a" }, { ref: "a", title: "b" })],
    [
      ROUTES.createPlan,
      "tasks.0.parentRef",
      plan({ ref: "a", title: "a", parentRef: "b", parentTaskId: "n1" }),
    ],
    [ROUTES.createPlan, "tasks.0.surprise", plan({ ref: "a", title: "a", surprise: 1 })],
    [
      ROUTES.createPlan,
      "tasks",
      plan(...Array.from({ length: 1_001 }, (_, n) => ({ ref: `r${n}`, title: "x" }))),
    ],
    [ROUTES.createPlan, "tasks", plan(...["a", "b"].map((ref) => ({ ref, title: "x", dependsOn: edges })))],
    [ROUTES.createBoard, "settings.caps.surprise", { settings: { caps: { surprise: 1 } } }],
    [ROUTES.createBoard, "settings.surprise", { settings: { surprise: 1 } }],
    [ROUTES.changeBoard, "settings.readyOrder", { settings: { readyOrder: "random" } }],
    [ROUTES.changeBoard, "settings.leaseTtlMs", { settings: { leaseTtlMs: 1.5 } }],
    [ROUTES.heartbeat, "usage.costUsd", { usage: { costUsd: -1 } }],
    [ROUTES.heartbeat, "usage.inputTokens", { usage: { inputTokens: 1e13 } }],
    [ROUTES.heartbeats, "leases.1.taskId", { leases: [{ taskId: "n1" }, {}] }],
    [ROUTES.heartbeats, "leases.0.surprise", { leases: [{ taskId: "n1", surprise: 1 }] }],
    [ROUTES.completeTask, "handoff.done.0", { handoff: { done: [NUL] } }],
    [ROUTES.completeTask, "handoff.commands.surprise", { handoff: { commands: { surprise: "x" } } }],
    [ROUTES.releaseTask, "handoff.warnings", { handoff: { warnings: Array(101).fill("x") } }],
    [ROUTES.setVerification, "result.attempts", { result: { ...VERDICT, attempts: [] } }],
    [ROUTES.setVerification, "result.status", { result: { ...VERDICT, status: "ok" } }],
    [ROUTES.setVerification, "result.attempts.0.attempt", verdict({ attempt: 0 })],
    [ROUTES.setVerification, "result.attempts.0.critic.ran", verdict({ critic: {} })],
    [
      ROUTES.setVerification,
      "result.attempts.0.critic.findings.0.severity",
      verdict({ critic: { ran: true, findings: [{ severity: "mild", title: "x" }] } }),
    ],
    [ROUTES.setVerification, "result.surprise", { result: { ...VERDICT, surprise: 1 } }],
    ...BAD_LABELS.map(([value, at]): [Route, string, object] => [
      ROUTES.createTask,
      `labels.${at}`,
      { labels: [value] },
    ]),
    ...BAD_LABELS.map(([value, at]): [Route, string, object] => [
      ROUTES.changeTask,
      `labels.${at}`,
      { labels: [value] },
    ]),
    [ROUTES.createTask, "dependsOn.1", { dependsOn: ["n1", ""] }],
    [ROUTES.createWebhook, "kinds.1", { kinds: ["task_created", "nope"] }],
    [ROUTES.changeWebhook, "kinds.0", { kinds: [""] }],
  ];
  for (const [route, path, changes] of deep)
    invalid(await sendChanged(route, sampleOf(route, scene), changes), path, `${route.id} ${path}`);
  expect(await standing(scene.board, scene.open.id, scene.held.id)).toBe(before);
});
