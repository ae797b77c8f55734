/** What is wrong with a request as a whole, on every route: keys, parameters, syntax, type, size, headers. */
import { expect, it } from "vitest";
import { BODY_MAX_BYTES } from "../../src/contract/limits.ts";
import type { Route } from "../../src/contract/route.ts";
import { call, newBoard, OPERATOR, ok, type Reply } from "../support/api.ts";
import { newScene, REFUSED_HERE, type Sample, type Scene, sampleOf } from "./samples.ts";
import { ALL, invalid, send, standing } from "./support.ts";

const BODIED = ALL.filter(({ body }) => body !== undefined);
const READING = ALL.filter(({ body, textBody }) => body !== undefined || textBody !== undefined);
const KEYED = ALL.filter(({ keyed }) => keyed === true);

const utf8 = new TextEncoder();

/** The state of everything a refused request could have touched. */
async function stateOf({ board, open, held }: Scene): Promise<string> {
  const boards = ok(await call(OPERATOR, "GET", "/boards?limit=200")).boards.length;
  return `${boards} ${await standing(board, open.id, held.id)}`;
}

/** The sample with its body, type or headers replaced. */
function raw(route: Route, sample: Sample, init: { body?: BodyInit; type?: string; headers?: object }) {
  const { body, type = "application/json", headers = {} } = init;
  return send(sample.path, {
    method: route.method,
    headers: {
      authorization: `Bearer ${sample.token}`,
      ...(type === "" ? {} : { "content-type": type }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

function textOf({ body }: Sample): string {
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** Runs every wrong request of a route, then sees that nothing moved and that the right one works. */
async function refusesAll(
  route: Route,
  wrong: (sample: Sample) => Promise<void>,
  type = route.textBody?.types[0],
): Promise<void> {
  const scene = await newScene();
  const sample = sampleOf(route, scene);
  const before = await stateOf(scene);
  await wrong(sample);
  expect(await stateOf(scene)).toBe(before);
  if (sample.body === null) return;
  const right = await raw(route, sample, { body: textOf(sample), ...(type === undefined ? {} : { type }) });
  if (right.status >= 300) expect([route.id, right.json.code]).toEqual([route.id, REFUSED_HERE[route.id]]);
}

/** The sample with one more parameter. */
function withParameter(route: Route, sample: Sample, name: string): Promise<Reply> {
  const path = `${sample.path}${sample.path.includes("?") ? "&" : "?"}${name}=1`;
  const type = route.textBody?.types[0] ?? "application/json";
  return raw(route, { ...sample, path }, { type, ...(sample.body === null ? {} : { body: textOf(sample) }) });
}

it.each(ALL)("$method $path names an unknown parameter", (route) =>
  refusesAll(route, async (sample) => {
    for (const name of ["surprise", "constructor", "toString"])
      invalid(await withParameter(route, sample, name), name, name);
  }),
);

it("a parameter called __proto__ is as unknown as any other", async () => {
  const scene = await newScene();
  const before = await stateOf(scene);
  for (const route of ALL) {
    const reply = await withParameter(route, sampleOf(route, scene), "__proto__");
    invalid(reply, "__proto__", route.id);
  }
  expect(await stateOf(scene)).toBe(before);
});

it.each(BODIED)("$method $path takes a JSON object of known keys, with what it needs", (route) =>
  refusesAll(route, async (sample) => {
    const text = textOf(sample);
    for (const name of ["surprise", "__proto__", "constructor"]) {
      const more = text.replace(/^\{/, `{"${name}":{"title":"x"}${text === "{}" ? "" : ","}`);
      invalid(await raw(route, sample, { body: more }), name, name);
    }
    for (const body of ["[]", "null", "7", '"text"', "true", "[{}]"])
      invalid(await raw(route, sample, { body }), "", body);
    for (const body of [text.slice(0, -1), "{title:1}", "not json", " ", "\u0000", `${text}x`, "{'a':1}"])
      invalid(await raw(route, sample, { body }), "", body);
    const deep = "[".repeat(100_000);
    for (const body of [deep, deep + "]".repeat(100_000)])
      invalid(await raw(route, sample, { body }), "", `deep ${body.length}`);
    if (route.body?.safeParse({}).success === true) return;
    for (const body of [undefined, "", "{}"]) {
      const reply = await raw(route, sample, body === undefined ? {} : { body });
      invalid(reply, undefined, `body ${body}`);
      expect(reply.json.issues[0].path).not.toBe("");
    }
  }),
);

it.each(READING)("$method $path reads only types it names, in UTF-8", (route) =>
  refusesAll(route, async (sample) => {
    const accepted = route.textBody?.types ?? ["application/json"];
    const body = textOf(sample);
    const others: [BodyInit, string][] = [
      ...["application/xml", "application/x-www-form-urlencoded", "application/jsonx", "json"].map(
        (type): [BodyInit, string] => [body, type],
      ),
      [utf8.encode(body), ""],
    ];
    for (const [sent, type] of others) {
      const reply = await raw(route, sample, { body: sent, type });
      invalid(reply, undefined, type, 415, "unsupported_media_type");
      expect(reply.json.accepts).toEqual(accepted);
    }
    for (const bad of [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf0, 0x9f, 0x98]]) {
      const bytes = new Uint8Array([...utf8.encode(body), ...bad]);
      invalid(await raw(route, sample, { body: bytes, type: accepted[0] as string }), "", String(bad));
    }
  }),
);

it.each(READING)("$method $path reads as many bytes as it allows, and not one more", (route) =>
  refusesAll(route, async (sample) => {
    const limit = route.maxBytes ?? BODY_MAX_BYTES;
    const length = utf8.encode(textOf(sample)).length;
    const body = textOf(sample) + " ".repeat(limit - length + 1);
    const type = route.textBody?.types[0] ?? "application/json";
    for (const form of [body, new Blob([body]).stream()]) {
      const reply = await raw(route, sample, { body: form, type });
      invalid(reply, undefined, "too large", 413, "body_too_large");
      expect(reply.json.limit).toBe(limit);
    }
    const fits = await raw(route, sample, { body: "x".repeat(limit), type });
    expect([400, 404, 422]).toContain(fits.status);
  }),
);

it("a body of exactly 256 KiB is read", async () => {
  const board = await newBoard();
  const body = JSON.stringify({ title: "padded" });
  expect(BODY_MAX_BYTES).toBe(262_144);
  ok(await call(board.lead, "POST", `${board.path}/tasks`, body + " ".repeat(262_144 - body.length)), 201);
});

it.each(KEYED)("$method $path refuses a key of more than 128 characters or with others in it", (route) =>
  refusesAll(route, async (sample) => {
    const type = route.textBody?.types[0] ?? "application/json";
    for (const key of ["", "k".repeat(129), "two words", "tab\there", "é", "\u007f"]) {
      const init = { body: textOf(sample), type, headers: { "idempotency-key": key } };
      invalid(await raw(route, sample, init), "Idempotency-Key", key);
    }
  }),
);

it("a condition has to be an ETag or a changeSeq", async () => {
  const [route] = ALL.filter(({ conditional }) => conditional === true);
  await refusesAll(route as Route, async (sample) => {
    for (const match of ["1", '"x"', '"1', '"1", "2"', '"-1"', '"1.0"', `"${"9".repeat(16)}"`]) {
      const init = { body: textOf(sample), headers: { "if-match": match } };
      invalid(await raw(route as Route, sample, init), "If-Match", match);
    }
    for (const seq of ["x", "", "-1", "1.5", '"1"', "9".repeat(16)]) {
      const init = { body: textOf(sample), headers: { "if-match-seq": seq } };
      invalid(await raw(route as Route, sample, init), "If-Match-Seq", seq);
    }
  });
});

it("one hundred refused requests leave the next one as good as ever", async () => {
  const scene = await newScene();
  const path = `${scene.board.path}/tasks`;
  const refusals = Array.from({ length: 100 }, () => call(scene.worker, "POST", path, { title: "" }));
  for (const reply of await Promise.all(refusals)) invalid(reply, "title");
  ok(await call(scene.worker, "POST", path, { title: "fine" }), 201);
});
