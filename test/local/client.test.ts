/** The client where most of it runs: in Node, with nothing of the Worker around it. */
import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { ROOT } from "../structure/source.ts";

const SCRIPT = `
  const { Edgeboard, work } = await import("./src/client/index.ts");
  const asked = [];
  const answers = { me: { board: "b" }, claims: { claims: [], retryAfterMs: 1 } };
  const fetch = async (url, { method }) => {
    asked.push(method + " " + new URL(url).pathname);
    return Response.json(answers[url.split("/").at(-1)]);
  };
  const board = new Edgeboard({ url: "http://edgeboard.test/", token: "t", fetch }).board();
  const tally = await work(board, () => {}, { untilEmpty: true });
  console.log(JSON.stringify({ asked, tally, foreign: typeof WebSocketPair }));
`;

it("the published entry loads, finds its board, asks for work and ends", () => {
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", SCRIPT], {
    cwd: ROOT,
    encoding: "utf8",
  });
  expect(JSON.parse(said)).toEqual({
    asked: ["GET /api/v1/me", "POST /api/v1/boards/b/claims"],
    tally: { succeeded: 0, failed: 0, released: 0, lost: 0, unknown: 0 },
    foreign: "undefined",
  });
});
