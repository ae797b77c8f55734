/** Each fault on the way to a healthy server fails its own check, and no check ends the others. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { examine, type Report } from "../../src/cli/doctor/examine.ts";
import { Edgeboard } from "../../src/client/index.ts";
import { type Scratch, startScratch } from "../demo/scratch.ts";
import { type Fault, type Passed, startFaultyProxy } from "./faulty-proxy.ts";

let server: Scratch;
let operator: Edgeboard;

beforeAll(async () => {
  server = await startScratch();
  operator = new Edgeboard({ url: server.url, token: server.operatorToken });
}, 120_000);

afterAll(() => server?.stop());

interface Who {
  token?: string;
  board?: string;
}

/** What is found behind a faulty line. */
async function found(only: string[], fault: Fault, who: Who = {}): Promise<Report> {
  const proxy = await startFaultyProxy(server.url, fault);
  const { report } = await examine({
    ...{ url: proxy.url, token: who.token ?? server.operatorToken, board: who.board },
    ...{ only, webhook: undefined, stop: new AbortController().signal, onFinding: () => {} },
  });
  proxy.stop();
  return report;
}

const verdictOf = ({ checks }: Report, name: string) => checks.find(({ check }) => check === name);

/** In an answer to such a call. */
const inAnswer =
  (call: RegExp, change: (answer: Passed) => void): Fault["back"] =>
  (answer) => {
    if (call.test(answer.call)) change(answer);
    return true;
  };

const SCRATCH_TASKS = /^POST \/api\/v1\/boards\/doctor-\w+\/tasks$/;
const CLAIM = /\/claim$/;

/** By the check that is to notice it: what the fault is called, what it is, and what is told of it. */
const FAULTS: [check: string, what: string, fault: Fault, told: RegExp][] = [
  [
    "version",
    "a server of another version",
    { back: inAnswer(/healthz/, (answer) => (answer.body = '{"status":"ok","version":"9.0.0"}')) },
    /server is 9\.0\.0/,
  ],
  [
    "headers",
    "headers that are taken away",
    { back: inAnswer(/healthz/, ({ headers }) => delete headers["x-content-type-options"]) },
    /without x-content-type-options/,
  ],
  [
    "page",
    "a page that is not there",
    { back: inAnswer(/^GET \/$/, (answer) => (answer.status = 404)) },
    /404/,
  ],
  [
    "clock",
    "a clock that is ten minutes behind",
    {
      back: inAnswer(/healthz/, ({ headers }) => {
        headers.date = new Date(Date.now() - 600_000).toUTCString();
      }),
    },
    /(59|60)\d\.\d s behind/,
  ],
  [
    "twice",
    "a key that is dropped",
    { there: ({ headers }) => delete headers["idempotency-key"] },
    /made 2 tasks/,
  ],
  [
    "ordering",
    "an edge that is lost",
    {
      there: (asked) => {
        if (SCRATCH_TASKS.test(asked.call)) asked.body = asked.body.replace(/,"dependsOn":\[[^\]]*\]/, "");
      },
    },
    /ready before/,
  ],
  [
    "lease",
    "a claim that is answered out of a cache",
    { back: firstAnswerAgain(CLAIM) },
    /Two agents hold one/,
  ],
  [
    "fencing",
    "a lost lease that is not told of",
    {
      back: inAnswer(/\/(heartbeat|complete)$/, (answer) => {
        if (answer.status === 409) Object.assign(answer, { status: 200, body: "{}" });
      }),
    },
    /still writes to it: accepted/,
  ],
  [
    "alarm",
    "a task that stays held",
    {
      back: inAnswer(/events\?.*task_released/, (answer) => {
        answer.body = answer.body.replace(/"events":\[.*\](?=,"hasMore")/, '"events":[]');
      }),
    },
    /keeps its task/,
  ],
  ["socket", "sockets that are not let through", { sockets: false }, /No socket can be opened/],
  [
    "webhook",
    "a secret that is not the one that signs",
    {
      back: inAnswer(
        /POST .*\/webhooks$/,
        (answer) => (answer.body = answer.body.replace("whsec_", "whsec_AAAA")),
      ),
    },
    /signature is not good/,
  ],
  [
    "mcp",
    "no MCP",
    { back: inAnswer(/\/mcp$/, (answer) => (answer.status = 404)) },
    /answers initialize with 404/,
  ],
  [
    "copy",
    "an export that is cut off",
    { back: inAnswer(/\/export$/, (answer) => (answer.body = answer.body.replace(/[^\n]*\n?$/, ""))) },
    /breaks off/,
  ],
  [
    "copy",
    "an export that says something else",
    {
      back: inAnswer(
        /\/export$/,
        (answer) => (answer.body = answer.body.replaceAll('"copied"', '"another"')),
      ),
    },
    /does not say of a task what was written/,
  ],
  [
    "revoked",
    "a board that is read out of a cache",
    {
      back: inAnswer(/^GET \/api\/v1\/boards\/doctor-\w+$/, (answer) => {
        if (answer.status === 401) Object.assign(answer, { status: 200, body: "{}" });
      }),
    },
    /revoked is still good/,
  ],
];

describe.concurrent("what fails, with its reason", { timeout: 40_000 }, () => {
  it.each(FAULTS)("%s: %s", async (check, _what, fault, told) => {
    const report = await found([check], fault);
    expect(verdictOf(report, check)).toMatchObject({
      state: check === "version" ? "warning" : "failed",
      detail: expect.stringMatching(told),
    });
    expect(report.ok).toBe(check === "version");
    // A fault of one thing is no fault of the others.
    const others = report.checks.filter((finding) => finding.check !== check);
    expect(others.filter(({ state }) => state !== "ok")).toEqual([]);
  });

  it("webhook: a receiver that does not take what is sent", async () => {
    const receiver = createServer((_, response) => response.writeHead(500).end());
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const { port } = receiver.address() as AddressInfo;
    const report = await found(["webhook"], {
      there: (asked) => {
        asked.body = asked.body.replace(/"url":"[^"]*"/, `"url":"http://127.0.0.1:${port}/"`);
      },
    });
    receiver.close();
    expect(verdictOf(report, "webhook")?.detail).toMatch(/Nothing arrived here: .* answered 500/);
  });

  it("all checks are made though several fail, and the board is gone afterwards", async () => {
    const report = await found(["twice", "mcp", "copy", "speed"], {
      there: ({ headers }) => delete headers["idempotency-key"],
      back: inAnswer(/\/mcp$/, (answer) => (answer.status = 404)),
    });
    const told = report.checks.map(({ check, state }) => `${check} ${state}`);
    expect(told).toEqual([
      ...["reachable ok", "who ok", "scratch ok"],
      ...["twice failed", "mcp failed", "copy ok", "speed ok", "gone ok"],
    ]);
  });
});

describe.concurrent("the scratch board", { timeout: 40_000 }, () => {
  const idIn = ({ checks }: Report) => /doctor-\w+/.exec(checks.at(-1)?.detail ?? "")?.[0] ?? "";

  it("is deleted though the answer to that is lost", async () => {
    let lost = 0;
    const back = ({ call }: Passed) => !call.startsWith("DELETE") || lost++ > 0;
    const report = await found(["speed"], { back });
    expect(lost).toBe(2);
    expect(verdictOf(report, "gone")?.state).toBe("ok");
  });

  it("that cannot be deleted is named, with how to delete it", async () => {
    const back = inAnswer(/^DELETE/, (answer) => Object.assign(answer, { status: 502, body: "" }));
    const there: Fault["there"] = (asked) => {
      if (asked.call.startsWith("DELETE")) asked.headers.authorization = "Bearer nobody";
    };
    const report = await found(["speed"], { there, back });
    const gone = verdictOf(report, "gone");
    expect(gone).toMatchObject({
      state: "failed",
      next: `\`edgeboard board delete ${idIn(report)}\` does it.`,
    });
    await operator.board(idIn(report)).delete(idIn(report));
  });

  it("that cannot be made fails, and what needs it is skipped", async () => {
    const there: Fault["there"] = (asked) => {
      if (asked.call === "POST /api/v1/boards") asked.body = "{}";
    };
    const { checks } = await found(["copy", "speed"], { there });
    const told = checks.map(({ check, state }) => `${check} ${state}`);
    expect(told.slice(2)).toEqual(["scratch failed", "copy skipped", "speed skipped", "gone ok"]);
  });
});

describe.concurrent("on a team's own board", { timeout: 40_000 }, () => {
  const team = async (id: string): Promise<Who> => {
    const { token } = await operator.createBoard({ id, name: id });
    return { token };
  };

  it.each([
    ["follow", { sockets: false }, /No socket/],
    [
      "alarms",
      {
        back: inAnswer(/\/metrics$/, (answer) =>
          Object.assign(answer, { status: 200, body: "edgeboard_failed_alarms 3\n" }),
        ),
      },
      /failed 3 times in a row/,
    ],
    ["tools", { back: inAnswer(/\/mcp$/, (answer) => (answer.status = 404)) }, /404/],
    [
      "sweep",
      {
        back: inAnswer(/\/tasks\?/, (answer) => {
          answer.body = answer.body.replace(/"expiresAt":\d+/, `"expiresAt":${Date.now() - 3_600_000}`);
        }),
      },
      /1 silent and not taken back/,
    ],
    [
      "webhooks",
      {
        back: inAnswer(/\/webhooks$/, (answer) => {
          answer.body = answer.body.replace('"disabledReason":null', '"disabledReason":"failing"');
        }),
      },
      /Given up after a day of failures.*hooks\.example\.com/,
    ],
  ] as [string, Fault, RegExp][])("%s fails", async (check, fault, told) => {
    const who = await team(`team-${check}`);
    const lead = new Edgeboard({ url: server.url, token: who.token }).board();
    await lead.tasks.create({ title: "held" });
    await lead.claimNext();
    await lead.createWebhook({ url: "https://hooks.example.com/x?secret=1", kinds: ["webhook_disabled"] });
    const report = await found([check], fault, who);
    expect(report.checks.at(-1)).toMatchObject({
      check,
      state: "failed",
      detail: expect.stringMatching(told),
    });
    expect(JSON.stringify(report)).not.toContain("secret=1");
  });
});

/** From its second time on such a call is not made: it has been answered. */
function firstAnswerAgain(call: RegExp): Fault["back"] {
  let kept: Pick<Passed, "status" | "body"> | null = null;
  return (answer) => {
    if (!call.test(answer.call)) return true;
    kept ??= { status: answer.status, body: answer.body };
    Object.assign(answer, kept);
    return true;
  };
}
