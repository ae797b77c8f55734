/** What is made of what was measured, without a server: the doctor's judgements, its rounds, and its page. */
import pc from "picocolors";
import { afterEach, describe, expect, it, vi } from "vitest";
import { judgeAlarms } from "../../src/cli/doctor/board/alarms.ts";
import { judgeRoom } from "../../src/cli/doctor/board/room.ts";
import { judgeBoard } from "../../src/cli/doctor/board/state.ts";
import { judgeStuck } from "../../src/cli/doctor/board/stuck.ts";
import { judgeSweep } from "../../src/cli/doctor/board/sweep.ts";
import { judgeTools } from "../../src/cli/doctor/board/tools.ts";
import { judgeWebhooks } from "../../src/cli/doctor/board/webhooks.ts";
import { NAMES } from "../../src/cli/doctor/checks.ts";
import { readMetrics } from "../../src/cli/doctor/metrics.ts";
import { isLoopback } from "../../src/cli/doctor/place.ts";
import { findingLine, summaryLine } from "../../src/cli/doctor/report.ts";
import { Round } from "../../src/cli/doctor/round.ts";
import { judgeClock } from "../../src/cli/doctor/server/clock.ts";
import { judgeHeaders } from "../../src/cli/doctor/server/headers.ts";
import { judgeHealth } from "../../src/cli/doctor/server/reachable.ts";
import { judgePlain, tls } from "../../src/cli/doctor/server/tls.ts";
import { judgeVersions } from "../../src/cli/doctor/server/version.ts";
import { judgeMe } from "../../src/cli/doctor/server/who.ts";
import { judgeAlarm } from "../../src/cli/doctor/story/alarm.ts";
import { judgeCopy } from "../../src/cli/doctor/story/copy.ts";
import { judgeTold } from "../../src/cli/doctor/story/socket.ts";
import { judgeTwice } from "../../src/cli/doctor/story/twice.ts";
import { judgeDelivery } from "../../src/cli/doctor/story/webhook.ts";
import { timesOf } from "../../src/cli/doctor/times.ts";
import { failed, good } from "../../src/cli/doctor/verdict.ts";
import { DAY_MS } from "../../src/contract/limits.ts";
import { bare, tablesOf } from "../structure/markdown.ts";

const NOW = 1_796_000_000_000;
const unstopped = new AbortController().signal;

describe("of a server", () => {
  it.each([
    [200, { status: "ok" }, "ok"],
    [200, null, "failed"],
    [503, { status: "ok" }, "failed"],
    [403, { status: "ok" }, "failed"],
  ])("health is %i with %j: %s", (status, json, state) => {
    expect(judgeHealth("https://x", { status, json, sentAt: 0, heardAt: 9 }).state).toBe(state);
  });

  it.each([
    ["1.2.3", "1.2.3", "ok"],
    ["1.2.4", "1.2.3", "ok"],
    ["1.3.3", "1.2.3", "warning"],
    ["undefined", "1.2.3", "warning"],
  ])("version %s for a program of %s: %s", (server, own, state) => {
    expect(judgeVersions(server, own).state).toBe(state);
  });

  it.each([
    ["http://localhost:8787", true],
    ["http://127.0.0.2", true],
    ["http://[::1]:1", true],
    ["http://127.board.example", false],
    ["https://board.example", false],
  ])("%s is on this machine: %s", (url, here) => {
    expect(isLoopback(url)).toBe(here);
  });

  it("without TLS it fails, unless nothing leaves this machine", async () => {
    const at = (url: string) => tls.run({ url, signal: unstopped });
    expect((await at("http://board.example")).state).toBe("failed");
    expect((await at("http://127.0.0.1:1")).state).toBe("skipped");
    expect((await at("https://board.example:8443")).state).toBe("ok");
  });

  it.each([
    [null, "ok"],
    [{ status: 301, headers: { location: "https://board.example/healthz" } }, "ok"],
    [{ status: 301, headers: { location: "http://elsewhere.example/" } }, "warning"],
    [{ status: 403, headers: {} }, "ok"],
    [{ status: 200, headers: {} }, "warning"],
  ])("without TLS the same name answers %j: %s", (plain, state) => {
    const heard = plain === null ? null : { status: plain.status, headers: new Headers(plain.headers) };
    expect(judgePlain(heard).state).toBe(state);
  });

  it("HSTS is asked for only where there is TLS", () => {
    const headers = new Headers({
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
    });
    expect(judgeHeaders(headers, false).state).toBe("ok");
    expect(judgeHeaders(headers, true).detail).toContain("strict-transport-security");
    headers.set("strict-transport-security", "max-age=0");
    expect(judgeHeaders(headers, true).state).toBe("failed");
    headers.set("content-security-policy", "default-src 'none'");
    expect(judgeHeaders(headers, false).detail).toContain("content-security-policy");
  });
});

describe("of clocks", () => {
  /** A server `offMs` ahead, asked at once and answering half-way; its Date is in whole seconds. */
  const asked = (offMs: number, tookMs: number) => {
    const told = Math.floor((NOW + tookMs / 2 + offMs) / 1_000) * 1_000;
    return judgeClock({ told, sentAt: NOW, heardAt: NOW + tookMs });
  };

  it.each([
    [0, 10, "ok"],
    [999, 10, "ok"],
    [-999, 10, "ok"],
    // Within a second and the round trip nobody can tell.
    [3_500, 4_000, "ok"],
    [3_500, 10, "warning"],
    [-3_500, 10, "warning"],
    [90_000, 10, "failed"],
    [-90_000, 10, "failed"],
    [90_000, 4_000, "failed"],
  ])("%i ms off, asked in %i ms: %s", (offMs, tookMs, state) => {
    expect(asked(offMs, tookMs).state).toBe(state);
  });

  it("which way it is off is told, and never more than it is", () => {
    expect(asked(90_000, 10).detail).toMatch(/(89|90)\.\d s ahead of/);
    expect(asked(-90_000, 10).detail).toMatch(/(89|90)\.\d s behind/);
  });
});

describe("of a token", () => {
  const me = { agentId: "ann", role: "worker", board: "b", runtime: null, capabilities: [], expiresAt: null };

  it.each([
    [me, undefined, "ok"],
    [me, "b", "ok"],
    [me, "other", "failed"],
    [{ ...me, expiresAt: NOW + DAY_MS - 1 }, "b", "warning"],
    [{ ...me, expiresAt: NOW + DAY_MS }, "b", "ok"],
    [{ ...me, board: null, role: "operator" }, "b", "ok"],
  ])("%j, asked for %s: %s", (given, board, state) => {
    expect(judgeMe(given, board, NOW).state).toBe(state);
  });
});

describe("of a board", () => {
  it.each([
    [{ archived: false, paused: false }, "ok"],
    [{ archived: true, paused: false }, "warning"],
    [{ archived: false, paused: true }, "warning"],
  ])("%j: %s", (flags, state) => {
    const counts = { backlog: 1, todo: 2, in_progress: 3, in_review: 0, blocked: 0, done: 0, cancelled: 0 };
    const verdict = judgeBoard({ board: { id: "b", ...flags }, counts } as Parameters<typeof judgeBoard>[0]);
    expect(verdict.state).toBe(state);
    expect(verdict.detail).toContain("b has 6 tasks, 3 of them in progress");
  });

  it("what is stuck is told by reason", () => {
    const none = {
      no_lease: 0,
      unreachable: 0,
      attempt_limit: 0,
      no_reviewer: 0,
      overrun: 0,
      unclaimable: 0,
    };
    expect(judgeStuck(none).state).toBe("ok");
    const some = judgeStuck({ ...none, attempt_limit: 2, overrun: 1 });
    expect(some).toMatchObject({ state: "warning", figures: { stuck: 3 } });
    expect(some.detail).toContain("attempt_limit 2, overrun 1");
  });

  it("a lease may be silent until its sweep, and for as long as an alarm and two clocks may be off", () => {
    const lease = (silentMs: number) => ({
      ...{ state: "expired" as const, agentId: "ann", epoch: 1, executionId: "e" },
      expiresAt: NOW - silentMs,
    });
    expect(judgeSweep([], 60_000, NOW).state).toBe("ok");
    expect(judgeSweep([lease(-1_000), lease(75_000)], 60_000, NOW).state).toBe("ok");
    const late = judgeSweep([lease(75_000), lease(75_001)], 60_000, NOW);
    expect(late.state).toBe("failed");
    expect(late.detail).toContain("2 leases looked at, 1 silent");
  });

  it.each([
    [{ state: "active", disabledReason: null, failures: 0 }, "ok"],
    [{ state: "disabled", disabledReason: "lead", failures: 3 }, "ok"],
    [{ state: "active", disabledReason: null, failures: 3 }, "warning"],
    [{ state: "disabled", disabledReason: "gone", failures: 0 }, "warning"],
    [{ state: "disabled", disabledReason: "failing", failures: 9 }, "failed"],
  ] as const)("a webhook that is %j: %s", (how, state) => {
    const rest = { id: "w", kinds: null, disabledAt: null, createdBy: "ann", createdAt: NOW };
    const verdict = judgeWebhooks([{ ...rest, url: "https://h.example/secret", ...how }]);
    expect(verdict.state).toBe(state);
    expect(JSON.stringify(verdict)).not.toContain("secret");
  });

  it.each([
    ["edgeboard_failed_alarms 0\nedgeboard_last_sweep_age_seconds 61.5", "ok"],
    ["edgeboard_failed_alarms 0", "ok"],
    ["edgeboard_failed_alarms 3", "failed"],
    ["# HELP edgeboard_failed_alarms 3", "skipped"],
    ['edgeboard_failed_alarms{of="x"} 3', "skipped"],
  ])("an alarm of which it tells %j: %s", (text, state) => {
    expect(judgeAlarms(readMetrics(text)).state).toBe(state);
  });

  it.each([
    [799, "ok"],
    [800, "warning"],
    [1_000, "failed"],
    [null, "skipped"],
  ])("%s bytes of 1000 taken: %s", (used, state) => {
    const text = used === null ? "" : `edgeboard_storage_bytes ${used}\n`;
    expect(judgeRoom(readMetrics(`${text}edgeboard_storage_limit_bytes 1000\n`)).state).toBe(state);
  });

  it("of tools those are missed without which nobody can work", () => {
    const all = ["list_tasks", "claim_task", "heartbeat", "finish_task"];
    expect(judgeTools([...all, "something_new"]).state).toBe("ok");
    expect(judgeTools(all.slice(0, 3)).detail).toContain("finish_task");
  });
});

describe("of a story", () => {
  it.each([
    [2_010, "ok"],
    [4_000, "ok"],
    [4_001, "warning"],
    [7_500, "warning"],
    [7_501, "failed"],
    [null, "failed"],
  ])("a silent holder's task taken back after %s ms: %s", (afterMs, state) => {
    expect(judgeAlarm(afterMs).state).toBe(state);
  });

  const events = (...seqs: number[]) =>
    seqs.map((seq) => ({ seq })) as unknown as Parameters<typeof judgeTold>[0][0];

  it.each([
    [[5], [6, 7], "ok"],
    [[], [5, 6, 7], "failed"],
    [[5], [7], "failed"],
    [[5], [5, 6, 7], "failed"],
    [[5], [7, 6], "failed"],
    [[5], [], "failed"],
  ])("a follower hears %j, and after the cut %j of 5 to 7: %s", (first, second, state) => {
    const told = judgeTold([events(...first), events(...second)], { from: 4, to: 7, toldMs: 1 });
    expect(told.state).toBe(state);
  });

  it("a request under one key: only the very same answer, marked as such, will do", () => {
    const answer = (id: string, headers = {}, status = 201) => ({
      ...{ status, headers: new Headers(headers), json: { task: { id } } },
    });
    const marked = { "idempotency-replayed": "true" };
    const refusal = { status: 422, headers: new Headers(), json: { code: "idempotency_mismatch" } };
    const states = [
      judgeTwice(answer("a"), answer("a", marked), refusal, 1),
      judgeTwice(answer("a"), answer("a"), refusal, 1),
      judgeTwice(answer("a"), answer("b", marked), refusal, 1),
      judgeTwice(answer("a"), answer("a", marked), answer("a", marked), 1),
      judgeTwice(answer("a"), answer("b"), answer("c"), 2),
      judgeTwice(answer("a", {}, 500), refusal, refusal, 0),
    ].map(({ state }) => state);
    expect(states).toEqual(["ok", "failed", "failed", "failed", "failed", "failed"]);
  });

  it("an export that would change its board is none", () => {
    const same = { created: 0, updated: 0, unchanged: 3, staleSkipped: 0, edges: 0, comments: 0 };
    const report = { ...same, skipped: [], issues: [] };
    expect(judgeCopy(report).state).toBe("ok");
    expect(judgeCopy({ ...report, created: 1 }).state).toBe("failed");
    expect(judgeCopy({ ...report, unchanged: 0 }).state).toBe("failed");
  });

  it("a delivery that failed says what came of it", () => {
    const delivery = { state: "pending", lastStatus: null, lastError: "refused" };
    const judge = (how: object) =>
      judgeDelivery({ delivery: { ...delivery, ...how } } as Parameters<typeof judgeDelivery>[0]);
    expect(judge({ state: "delivered", lastStatus: 204 }).state).toBe("ok");
    expect(judge({}).detail).toContain("refused");
    expect(judge({ lastStatus: 500, lastError: "HTTP 500" }).detail).toContain("answered 500");
  });

  it("the median is a time that was measured", () => {
    expect(timesOf([5, 1, 4, 2, 3])).toEqual({ p50: 3, most: 5 });
    expect(timesOf([10, 1, 4, 2])).toEqual({ p50: 2, most: 10 });
  });
});

describe("a round", () => {
  afterEach(() => vi.useRealTimers());

  const round = (stop = unstopped) => new Round(stop, () => {});
  const at = (signal: AbortSignal) => ({ signal });
  const states = ({ findings }: Round) => findings.map(({ check, state }) => `${check} ${state}`);

  it("goes on after a check that throws or never ends", async () => {
    vi.useFakeTimers();
    const made = round();
    await made.make({ name: "throws", run: () => Promise.reject(new Error("broken")) }, at);
    const hangs = made.make({ name: "hangs", run: () => new Promise(() => {}) }, at);
    await vi.advanceTimersByTimeAsync(20_000);
    await hangs;
    await made.make({ name: "goes on", run: async () => good("fine") }, at);
    expect(states(made)).toEqual(["throws failed", "hangs failed", "goes on ok"]);
    expect(made.findings[1]?.detail).toContain("20 s");
  });

  it("makes nothing more once it is stopped, but for what says so itself", async () => {
    const stop = new AbortController();
    const made = round(stop.signal);
    const hangs = made.make({ name: "hangs", run: () => new Promise(() => {}) }, at);
    stop.abort();
    await hangs;
    await made.make({ name: "later", run: async () => good("fine") }, at);
    await made.make({ name: "clean up", run: async () => good("fine") }, at, unstopped);
    expect(states(made)).toEqual(["clean up ok"]);
  });

  it("calls that had to be asked again are a warning", () => {
    const made = round();
    made.tellRepeats();
    made.repeats = 2;
    made.tellRepeats();
    expect(made.findings).toMatchObject([{ check: "repeats", state: "warning" }]);
  });
});

describe("what is told", () => {
  const colors = pc.createColors(false);

  it("a check is one line, whatever a stranger wrote into it", () => {
    const finding = { check: "tls", ms: 1, ...failed("a\nb\u001b[31m", "do this") };
    const line = findingLine(finding, { colors });
    expect(line).toBe("failed   tls        a b\ufffd[31m do this");
  });

  it("the last line counts, and says when it is not all", () => {
    const findings = [good("x"), good("y"), failed("z")].map((verdict) => ({
      check: "c",
      ms: 1,
      ...verdict,
    }));
    expect(summaryLine(findings, false)).toBe("2 good, 1 failed.");
    expect(summaryLine(findings, true)).toBe("2 good, 1 failed; stopped before the end.");
  });
});

it("docs/doctor.md lists every check there is", () => {
  const listed = tablesOf("docs/doctor.md")
    .filter(({ header }) => header[0] === "check")
    .flatMap(({ rows }) => rows.map(([name = ""]) => bare(name)));
  const always = ["reachable", "who", "scratch", "gone", "repeats"];
  expect(listed.filter((name) => !always.includes(name)).toSorted()).toEqual(NAMES.toSorted());
  expect(always.filter((name) => !listed.includes(name))).toEqual([]);
});
