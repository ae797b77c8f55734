/** Boards whose data stays somewhere. The test runtime has no jurisdictions; where it must, one is put in its place. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { BASE } from "../../src/contract/route.ts";
import { app } from "../../src/http/app.ts";
import { readReply } from "../http/support.ts";
import { call, everyBoard, OPERATOR, ok, type Reply, refused } from "../support/api.ts";
import { create } from "./listing.ts";

/** Where the boards that were reached are; `null` is anywhere. */
const reached: (string | null)[] = [];

/** A platform with jurisdictions: the boards of each are others, here by their names. */
const platform = {
  ...env,
  BOARDS: {
    getByName: (name: string, options: object) => {
      reached.push(null);
      return env.BOARDS.getByName(name, options);
    },
    jurisdiction: (where: string) => ({
      getByName: (name: string, options: object) => {
        reached.push(where);
        return env.BOARDS.getByName(`${where}/${name}`, options);
      },
    }),
  },
} as unknown as Env;

async function there(
  token: string,
  method: string,
  path: string,
  body?: object,
  base = BASE,
): Promise<Reply> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  return readReply(await app.fetch(new Request(`https://edgeboard.test${base}${path}`, init), platform));
}

it("a board is made, used and deleted where it has to stay, and nowhere else", async () => {
  const name = `Payments ${crypto.randomUUID()}`;
  const made = ok(await there(OPERATOR, "POST", "/boards", { name, jurisdiction: "eu" }), 201);
  const { id } = made.board;
  expect(id).toMatch(/^eu--payments-/);
  const path = `/boards/${id}`;
  ok(await there(made.token, "POST", `${path}/tasks`, { title: "one" }), 201);
  ok(await there(OPERATOR, "GET", `${path}/tasks`));
  const hello = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  ok(await there(made.token, "POST", "/mcp", hello, ""));
  expect((await there(OPERATOR, "DELETE", `${path}?confirm=${id}`)).status).toBe(204);
  expect(new Set(reached)).toEqual(new Set(["eu"]));
});

it("an id that already says where is taken as it is; one that says otherwise is refused", async () => {
  const id = `us--${crypto.randomUUID()}`;
  ok(await there(OPERATOR, "POST", "/boards", { id, name: "x", jurisdiction: "us" }), 201);
  const { issues } = refused(
    await there(OPERATOR, "POST", "/boards", {
      id: `us--${crypto.randomUUID()}`,
      name: "x",
      jurisdiction: "eu",
    }),
    400,
    "invalid_request",
  );
  expect(issues).toEqual([{ path: "id", message: "begins with another jurisdiction" }]);
  const long = { id: "a".repeat(60), name: "x", jurisdiction: "eu" };
  refused(await there(OPERATOR, "POST", "/boards", long), 400, "invalid_request");
});

it.each([{ jurisdiction: "eu" }, { id: "eu--mine" }])(
  "where there are no jurisdictions, %j makes nothing and leaves nothing behind",
  async (asked) => {
    const { issues } = refused(await create({ name: "x", ...asked }), 400, "invalid_request");
    expect(issues).toEqual([{ path: "jurisdiction", message: "is not to be had here" }]);
    expect((await everyBoard()).filter(({ id }) => id.startsWith("eu--mine"))).toEqual([]);
    refused(await call(OPERATOR, "GET", "/boards/eu--mine"), 404, "board_not_found");
    refused(await call(OPERATOR, "DELETE", "/boards/eu--mine?confirm=eu--mine"), 404, "board_not_found");
  },
);
