/** Every refusal a route declares is provoked, and none is met that it does not declare. */
import { beforeAll, expect, it } from "vitest";
import * as answers from "../../src/contract/answers.ts";
import { MAX_DEPENDENTS } from "../../src/contract/limits.ts";
import { BASE, type Route } from "../../src/contract/route.ts";
import { ROUTES } from "../../src/contract/routes.ts";
import { call, ok, type Reply, refused } from "../support/api.ts";
import { fill } from "../support/fill.ts";
import { inside } from "../support/inside.ts";
import { ACTS, type Asked } from "./refusing.ts";
import { beads, newScene, type Scene, sampleOf, VERDICT } from "./samples.ts";
import { ALL, keyed, pathOf, send, standing } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of any shape
let document: any;
const seen = new Map<string, Set<string>>();

beforeAll(async () => {
  document = ok(await send("/openapi.json", {}));
});

function declared(route: Route, status: number): string[] {
  const item = document.paths[BASE + route.path.replace(/:(\w+)/g, "{$1}")][route.method.toLowerCase()];
  return (item.responses[status]?.description ?? "").split(", ");
}

/** A refusal with this code, of the form of a problem, under a status whose codes name it. */
function note(route: Route, reply: Reply, code: string) {
  expect([route.id, reply.json?.code], reply.text.slice(0, 300)).toEqual([route.id, code]);
  const problem = refused(reply, reply.status, code);
  expect([route.id, code, answers.problem.safeParse(problem).error?.issues]).toEqual([
    route.id,
    code,
    undefined,
  ]);
  // None of these is worth repeating, so none names a time.
  expect([route.id, code, problem.retryable, reply.headers.get("retry-after")]).toEqual([
    route.id,
    code,
    false,
    null,
  ]);
  expect([route.id, declared(route, reply.status)]).toEqual([route.id, expect.arrayContaining([code])]);
  seen.set(route.id, (seen.get(route.id) ?? new Set()).add(code));
  return problem;
}

async function refuses(route: Route, code: string, { board }: Scene, asked: Asked) {
  const { token = board.lead, id = "n1", dependsOnTaskId = "n2", query = "", body, headers } = asked;
  const { deliveryId = "0" } = asked;
  const format = route.id === "importTasks" ? "?format=beads" : "";
  const path = pathOf(route, { board: board.id, id, dependsOnTaskId, deliveryId }) + query + format;
  const sent = body ?? (route.body === undefined ? undefined : {});
  return note(route, await call(token, route.method, path, sent, headers), code);
}

it("a task that is not there is told by every route of a task", async () => {
  const scene = await newScene();
  const ofTask = ALL.filter(({ path }) => path.includes("/tasks/:id"));
  expect(ofTask.length).toBeGreaterThan(15);
  for (const route of ofTask) {
    const { token, body } = sampleOf(route, scene);
    await refuses(route, "task_not_found", scene, { token, id: "n99", body: body ?? undefined });
  }
});

it("an archived board can be read by every route and written by none", async () => {
  const scene = await newScene();
  const { board } = scene;
  ok(await call(board.lead, "PATCH", board.path, { archived: true }));
  for (const route of ALL.filter(
    ({ id, method, path }) =>
      method === "GET" && path.startsWith("/boards/:board") && !["openLive", "getArchive"].includes(id),
  )) {
    const { path } = sampleOf(route, scene);
    expect([route.id, (await call(board.lead, "GET", path)).status]).toEqual([route.id, 200]);
  }
  const before = await standing(board, "n1", "n3");
  const aboutBoards = [
    "createBoard",
    "changeBoard",
    "deleteBoard",
    "revokeToken",
    "dropImport",
    "deleteWebhook",
    "createArchive",
    "deleteArchive",
    // Refused by the board it goes to; here there is nothing to restore.
    "restoreArchive",
  ];
  const writes = ALL.filter(
    ({ id, method, path }) => method !== "GET" && !aboutBoards.includes(id) && path.includes(":board"),
  );
  for (const route of writes) {
    const { token, path, body } = sampleOf(route, scene);
    note(route, await call(token, route.method, path, body ?? undefined), "board_archived");
  }
  expect(await standing(board, "n1", "n3")).toBe(before);
  ok(await call(board.lead, "PATCH", board.path, { archived: false }));
  await board.add({ title: "open again" });
});

it("a holder's writes refuse whoever does not prove the lease", async () => {
  const scene = await newScene();
  const { board, worker, held, other, runId, leaseToken } = scene;
  const [stranger, judge, strangeJudge] = [
    await board.mint("stranger"),
    await board.mint("agent", "verifier"),
    await board.mint("stranger", "verifier"),
  ];
  // A lease of another task: signed here, and no proof of this one.
  const elsewhere: string = (await board.claim(other.id, worker)).lease.token;
  const before = await standing(board, held.id);
  const bodies: [Route, object][] = [
    [ROUTES.heartbeat, {}],
    [ROUTES.completeTask, { outcome: "succeeded", status: "done" }],
    [ROUTES.releaseTask, {}],
    [ROUTES.changeTask, { title: "x" }],
    [ROUTES.setVerification, { epoch: 1, result: VERDICT }],
    [ROUTES.closeExecution, { status: "failed" }],
    [ROUTES.createWorkspace, { repoPath: "/r" }],
    [ROUTES.changeWorkspace, { status: "stale" }],
  ];
  for (const [route, body] of bodies) {
    const [mine, theirs] = route.id === "setVerification" ? [judge, strangeJudge] : [worker, stranger];
    const id = route.id === "closeExecution" ? runId : held.id;
    await refuses(route, "lease_required", scene, { id, token: mine, body });
    const lost = await refuses(route, "lease_lost", scene, {
      id,
      token: mine,
      body: { ...body, leaseToken: elsewhere },
    });
    expect([route.id, lost.reason]).toEqual([route.id, "unknown"]);
    await refuses(route, "identity_mismatch", scene, { id, token: theirs, body: { ...body, leaseToken } });
  }
  expect(await standing(board, held.id)).toBe(before);
});

it.each(ACTS.map(([route, code, act]) => ({ id: route.id, code, route, act })))(
  "$id refuses with $code where it has to",
  async ({ route, code, act }) => {
    const scene = await newScene();
    const asked = await act(scene);
    const before = await standing(scene.board, "n1", "n3");
    await refuses(route, code, scene, asked);
    expect(await standing(scene.board, "n1", "n3")).toBe(before);
  },
);

it("nobody asks for changes of his own work", async () => {
  const scene = await newScene();
  const { board, worker, held, leaseToken } = scene;
  const judge = await board.mint("agent", "verifier");
  ok(await call(worker, "PATCH", `${board.path}/tasks/${held.id}`, { status: "in_review", leaseToken }));
  const asked = { token: judge, id: held.id, body: { notes: "x" } };
  await refuses(ROUTES.requestChanges, "self_review", scene, asked);
});

it("a claim, or a run, whose lease has ended is refused under its key", async () => {
  const scene = await newScene();
  const { board } = scene;
  ok(await call(board.lead, "PATCH", `${board.path}/tasks/n1`, { status: "in_progress" }));
  for (const [route, id] of [
    [ROUTES.startExecution, "n1"],
    [ROUTES.claimTask, "n2"],
    [ROUTES.claimNext, "n2"],
  ] as const) {
    const path = pathOf(route, { board: board.id, id });
    const granted = await keyed(board.lead, path, "k", {});
    const leaseToken = (granted.json.lease ?? granted.json.claims[0].lease).token;
    ok(await call(board.lead, "POST", `${board.path}/tasks/${id}/release`, { leaseToken }));
    expect(note(route, await keyed(board.lead, path, "k", {}), "lease_lost").reason).toBe("released");
  }
});

it("each call that takes a key refuses another body under it", async () => {
  for (const route of ALL.filter(({ keyed, id }) => keyed === true && id !== "startExecution")) {
    const { token, path, body } = sampleOf(route, await newScene());
    const key = { "idempotency-key": crypto.randomUUID() };
    const first = await call(token, route.method, path, body, key);
    expect([route.id, first.status < 300], first.text).toEqual([route.id, true]);
    const text = typeof body === "string" ? `${body}\n` : ` ${JSON.stringify(body)}`;
    note(route, await call(token, route.method, path, text, key), "idempotency_mismatch");
  }
});

/** A board on which as many tasks wait for the first as may. */
async function crowdedScene(): Promise<Scene> {
  const scene = await newScene();
  ok(await call(scene.board.lead, "PATCH", `${scene.board.path}/tasks/n1`, { externalRef: "bd-0" }));
  await inside(scene.board, ({ sql }) => {
    fill(sql, { count: MAX_DEPENDENTS + 1, priority: 0, openDeps: 1 });
    sql.run(
      `insert into task_deps (task_id, depends_on_task_id, on_cancel, created_at)
       select id, ?, 'cascade', 1 from tasks where id like 'task-%'`,
      scene.open.id,
    );
  });
  return scene;
}

it("ten thousand tasks may wait for one, and not one more", async () => {
  const scene = await crowdedScene();
  const before = await standing(scene.board, "n1");
  const on = { title: "x", dependsOn: ["n1"] };
  const asked: [Route, Asked][] = [
    [ROUTES.createTask, { body: on }],
    [ROUTES.createPlan, { body: { tasks: [{ ...on, ref: "a" }] } }],
    [ROUTES.linkDependency, { id: "n2", body: { dependsOnTaskId: "n1" } }],
    [ROUTES.changeTask, { body: { status: "cancelled" } }],
    [ROUTES.cancelDependents, {}],
  ];
  for (const [route, request] of asked) await refuses(route, "dependent_cap", scene, request);
  expect(await standing(scene.board, "n1")).toBe(before);
});

it("nor does an import bring in one more", async () => {
  const scene = await crowdedScene();
  const body = beads({ dependencies: [{ depends_on_id: "bd-0", type: "blocks" }] });
  await refuses(ROUTES.importTasks, "dependent_cap", scene, { body });
});

it("what may go wrong below any board is declared by each of its routes", () => {
  for (const route of ALL.filter(({ path }) => path.includes(":board"))) {
    const codes = [...declared(route, 500), ...declared(route, 503), ...declared(route, 507)];
    expect([route.id, codes]).toEqual([
      route.id,
      expect.arrayContaining(["internal", "board_unavailable", "board_overloaded", "board_full"]),
    ]);
  }
});

it("no route declares a refusal that nothing provokes", ({ skip }) => {
  skip(seen.size < ALL.length / 2, "needs the tests before it");
  // Imports in parts, exports brought in again, archives, sockets and sessions have tests of their own.
  const elsewhere = [
    "importTasks",
    "beginImport",
    "putImportPart",
    "commitImport",
    "dropImport",
    "exportBoard",
    "createArchive",
    "listArchives",
    "getArchive",
    "deleteArchive",
    "restoreArchive",
    "openLive",
    "openSession",
  ];
  const never = ALL.filter(({ id }) => !elsewhere.includes(id)).flatMap(({ id, refuses: codes }) =>
    codes.filter((code) => !seen.get(id)?.has(code)).map((code) => `${id} ${code}`),
  );
  expect(never).toEqual([]);
});
