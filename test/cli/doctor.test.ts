/** The doctor at a healthy server, as each who may ask, and where it has to end before its time. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { OF_BOARD, OF_SCRATCH, OF_SERVER } from "../../src/cli/doctor/checks.ts";
import { Edgeboard } from "../../src/client/index.ts";
import { type Scratch, startScratch } from "../demo/scratch.ts";
import { buildProgram, home, type Program, start } from "./program.ts";

let program: Program;
let server: Scratch;
let operator: Edgeboard;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  [program, server] = await Promise.all([buildProgram(), startScratch()]);
  tokens["operator"] = server.operatorToken;
  operator = new Edgeboard({ url: server.url, token: server.operatorToken });
  tokens["lead"] = (await operator.createBoard({ id: "team", name: "Team" })).token;
  for (const role of ["worker", "viewer"] as const) {
    const minted = await operator.board("team").mintToken({ agentId: role, role, expiresInS: 3_600 });
    tokens[role] = minted.token;
  }
}, 120_000);

afterAll(async () => {
  await server?.stop();
  program?.remove();
});

const doctor = (who: string, ...args: string[]) =>
  program.run(["doctor", ...args], {
    env: { EDGEBOARD_URL: server.url, EDGEBOARD_TOKEN: tokens[who] ?? "" },
  });

const scratchBoards = async (): Promise<string[]> =>
  (await operator.listBoards()).boards.map(({ id }) => id).filter((id) => id.startsWith("doctor-"));

const names = (checks: { name: string }[]): string[] => checks.map(({ name }) => name);

interface Told {
  check: string;
  state: string;
  detail: string;
}

const statesOf = (checks: Told[]): Record<string, string> =>
  Object.fromEntries(checks.map(({ check, state }) => [check, state]));

describe("at a healthy server", { timeout: 60_000 }, () => {
  it("an operator has every check made on a board that is gone afterwards", async () => {
    const { code, json, err } = await doctor("operator", "--json");
    // Of a machine that has much else to do it may be told that the alarm rang late.
    const isWrong = ({ check, state }: Told) =>
      state === "failed" || (state === "warning" && check !== "alarm");
    const wrong = json.checks.filter(isWrong);
    expect(wrong).toEqual([]);
    expect({ code, ok: json.ok, err }).toEqual({ code: 0, ok: true, err: "" });
    expect(json.checks.map(({ check }: Told) => check)).toEqual([
      ...["reachable", ...names(OF_SERVER), "who"],
      ...["scratch", ...names(OF_SCRATCH), "gone"],
    ]);
    // Here nothing leaves the machine, and the local runtime does not tell the time.
    const notMade = json.checks.filter(({ state }: Told) => state === "skipped");
    expect(notMade.map(({ check }: Told) => check)).toEqual(["tls", "clock"]);
    expect(await scratchBoards()).toEqual([]);
  });

  it("a lead has a line for each check of its board, which is left as it was", async () => {
    const team = operator.board("team");
    const { seq } = await team.get();
    const { code, out } = await doctor("lead");
    expect(code, out).toBe(0);
    const lines = out.trimEnd().split("\n");
    const made = ["reachable", ...names(OF_SERVER), "who", ...names(OF_BOARD)];
    expect(lines.slice(0, -1).map((line) => line.split(/ +/)[1])).toEqual(made);
    const told = (state: string) => lines.filter((line) => line.startsWith(state)).length;
    expect(lines.at(-1)).toBe(`${told("ok")} good, ${told("skipped")} skipped.`);
    expect(told("ok")).toBeGreaterThan(10);
    expect((await team.get()).seq).toBe(seq);
  });

  it("a viewer is told what is not for it to see, and that its token ends soon: neither is a failure", async () => {
    const { code, json } = await doctor("viewer", "--json");
    expect(code).toBe(0);
    expect(statesOf(json.checks)).toMatchObject({ who: "warning", webhooks: "skipped", tools: "ok" });
    expect(json.me).toMatchObject({ role: "viewer", board: "team" });
  });

  it("an operator who names a board has that board looked at as well", async () => {
    const { json } = await doctor("operator", "--board", "team", "-o", "tools", "-o", "copy", "--json");
    expect(json.checks.map(({ check }: Told) => check)).toEqual([
      ...["reachable", "who", "scratch", "copy", "gone", "tools"],
    ]);
    expect(json.ok).toBe(true);
  });

  it("a webhook of one's own is told, and what it answers is what counts", async () => {
    for (const [status, state] of [
      [204, "ok"],
      [500, "failed"],
    ] as const) {
      const receiver = createServer((_, response) => response.writeHead(status).end());
      receiver.listen(0, "127.0.0.1");
      await once(receiver, "listening");
      const { port } = receiver.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/`;
      const { code, json } = await doctor("operator", "-o", "webhook", "--webhook", url, "--json");
      receiver.close();
      const told = json.checks.find(({ check }: Told) => check === "webhook");
      expect(told).toMatchObject({ state, detail: expect.stringContaining(String(status)) });
      expect(code).toBe(state === "ok" ? 0 : 1);
    }
  });

  it("what waits for a person is a warning, which fails nothing", async () => {
    const lead = operator.board("team");
    const { task } = await lead.tasks.create({ title: "for nobody", requiredCapabilities: ["flying"] });
    const { code, json } = await doctor("worker", "-o", "stuck", "--json");
    await lead.tasks.drop(task.id);
    expect(json.checks.at(-1)).toMatchObject({ check: "stuck", state: "warning", figures: { stuck: 1 } });
    expect(json.checks.at(-1).detail).toContain("unclaimable 1");
    expect({ code, ok: json.ok }).toEqual({ code: 0, ok: true });
  });
});

describe("where it cannot go on", { timeout: 60_000 }, () => {
  it("nobody there, or somebody else, is exit code 5, and all that is told", async () => {
    const stranger = createServer((_, response) => response.end("hello"));
    stranger.listen(0, "127.0.0.1");
    await once(stranger, "listening");
    const { port } = stranger.address() as AddressInfo;
    for (const url of ["http://127.0.0.1:1", `http://127.0.0.1:${port}`]) {
      const { code, out } = await doctor("operator", url);
      expect(out).toMatch(/^failed +reachable /);
      expect({ code, lines: out.trimEnd().split("\n").length }).toEqual({ code: 5, lines: 2 });
    }
    stranger.close();
  });

  it("without a good token it is exit code 3, after all that needs none", async () => {
    const { token, info } = await operator.board("team").mintToken({ agentId: "gone", role: "lead" });
    await operator.board("team").revokeToken(info.id);
    tokens["gone"] = token;
    for (const who of ["nobody", "gone"]) {
      const { code, json } = await doctor(who, "--json");
      const made = json.checks.map(({ check }: Told) => check);
      expect(made).toEqual(["reachable", ...names(OF_SERVER), "who"]);
      expect({ code, last: json.checks.at(-1).state }).toEqual({ code: 3, last: "failed" });
    }
  });

  it("a token of another board than the one that is named fails, and nothing is read", async () => {
    const { code, json } = await doctor("lead", "--board", "other", "--json");
    expect(json.checks.at(-1)).toMatchObject({ check: "who", state: "failed" });
    expect(code).toBe(1);
  });

  it("Ctrl-C in the middle leaves no board behind", async () => {
    const child = start(program.path, ["doctor", server.url], {
      ...home(program.folder),
      EDGEBOARD_TOKEN: server.operatorToken,
    });
    let out = "";
    child.stdout.on("data", (data: Buffer) => {
      out += data;
      // Others would follow.
      if (out.includes("fencing") && !child.killed) child.kill("SIGINT");
    });
    const [code] = await once(child, "close");
    expect(out).toMatch(/ok +gone .*\n.*stopped before the end\.\n$/);
    expect(out).not.toMatch(/^\w+ +alarm /m);
    expect(code).toBe(1);
    expect(await scratchBoards()).toEqual([]);
  });
});
