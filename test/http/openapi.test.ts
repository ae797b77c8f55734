/** The published description of the interface, held against what is really mounted. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Reason } from "../../src/contract/reasons.ts";
import { BASE, type Route } from "../../src/contract/route.ts";
import { app } from "../../src/http/app.ts";
import { statusOf } from "../../src/http/problem.ts";
import { ok } from "../support/api.ts";
import { ALL, send } from "./support.ts";

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of any shape
type Json = any;

const METHODS = ["get", "post", "put", "patch", "delete"];

let document: Json;

beforeAll(async () => {
  document = ok(await send("/openapi.json", {}));
});

function operations(): { path: string; method: string; operation: Json }[] {
  return Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

const templated = (path: string) => path.replace(/:(\w+)/g, "{$1}");
const operationOf = (route: Route): Json =>
  document.paths[BASE + templated(route.path)][route.method.toLowerCase()];

/** Every object of the document, with where it stands. */
function* everyObject(value: Json, at = "#"): Generator<[string, Record<string, Json>]> {
  if (typeof value !== "object" || value === null) return;
  if (!Array.isArray(value)) yield [at, value];
  for (const [key, part] of Object.entries(value)) yield* everyObject(part, `${at}/${key}`);
}

function resolve(pointer: string): Json {
  const parts = pointer
    .slice(2)
    .split("/")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  return parts.reduce((value, part) => value?.[part], document);
}

it("is an OpenAPI 3.1 document that says whose it is, and needs no token", () => {
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info).toMatchObject({
    title: "Edgeboard",
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
  expect(document.info.license).toMatchObject({ name: "MIT" });
  expect(document.components.securitySchemes.bearer).toMatchObject({ type: "http", scheme: "bearer" });
  expect(document.security).toEqual([{ bearer: [] }]);
});

it("names every mounted route and no other", () => {
  const mounted = app.routes
    .filter(
      ({ path, method }) =>
        path.startsWith(`${BASE}/`) && method !== "ALL" && path !== `${BASE}/openapi.json`,
    )
    .map(({ path, method }) => `${method} ${templated(path)}`);
  const described = operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`);
  expect(described.toSorted()).toEqual([...new Set(mounted)].sort());
  expect(described).toHaveLength(ALL.length);
});

it("every reference leads somewhere, and every component is used", () => {
  const references = [...everyObject(document)].flatMap(([at, { $ref }]) =>
    $ref === undefined ? [] : [[at, $ref]],
  );
  expect(references.length).toBeGreaterThan(50);
  for (const [at, reference] of references)
    expect([at, typeof resolve(reference as string)]).toEqual([at, "object"]);
  const used = new Set(references.map(([, reference]) => reference));
  for (const name of Object.keys(document.components.schemas))
    expect([name, used.has(`#/components/schemas/${name}`)]).toEqual([name, true]);
});

it("every schema is one that JSON Schema 2020-12 knows", () => {
  const types = ["object", "array", "string", "number", "integer", "boolean", "null"];
  for (const [at, value] of everyObject(document)) {
    if (!/schemas\/\w+|\/schema(\/|$)/.test(at) || /\/(properties|examples|meta)$/.test(at)) continue;
    if ("type" in value && typeof value["type"] !== "object")
      for (const type of [value["type"]].flat())
        expect([at, types]).toEqual([at, expect.arrayContaining([type])]);
    expect([at, "nullable" in value, "example" in value]).toEqual([at, false, false]);
    if (value["type"] === "array") expect([at, typeof value["items"]]).toEqual([at, "object"]);
    for (const name of Array.isArray(value["required"]) ? value["required"] : [])
      expect([at, Object.keys(value["properties"])]).toEqual([at, expect.arrayContaining([name])]);
  }
});

describe("each operation", () => {
  it("has a name of its own, a summary, and says its role", () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.toSorted()).toEqual(ALL.map(({ id }) => id).sort());
    for (const route of ALL) {
      const { summary, description, tags } = operationOf(route);
      expect([route.id, summary.length > 0, tags.length]).toEqual([route.id, true, 1]);
      expect(description).toContain(route.role ?? "No token");
    }
  });

  it("declares its parameters, those of its path as required", () => {
    for (const { path, operation } of operations()) {
      const parameters: Json[] = operation.parameters ?? [];
      for (const parameter of parameters) {
        expect(["path", "query", "header"]).toContain(parameter.in);
        expect(typeof parameter.schema).toBe("object");
      }
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const inPath = parameters.filter((parameter) => parameter.in === "path");
      expect(inPath.map(({ name }) => name)).toEqual(named);
      for (const { required } of inPath) expect(required).toBe(true);
    }
    const query = (id: string) => {
      const { operation } = operations().find(({ operation }) => operation.operationId === id) as {
        operation: Json;
      };
      return operation.parameters.filter((one: Json) => one.in === "query").map((one: Json) => one.name);
    };
    expect(query("listTasks")).toEqual(
      expect.arrayContaining(["ready", "mine", "status", "label", "limit", "cursor"]),
    );
    expect(query("deleteBoard")).toEqual(["confirm"]);
  });

  it("declares the headers it takes and the body it reads", () => {
    for (const route of ALL) {
      const { parameters = [], requestBody } = operationOf(route);
      const headers = parameters.filter((one: Json) => one.in === "header").map((one: Json) => one.name);
      expect([route.id, headers.includes("Idempotency-Key")]).toEqual([route.id, route.keyed === true]);
      expect([route.id, headers.includes("If-Match")]).toEqual([route.id, route.conditional === true]);
      const reads = route.body !== undefined || route.textBody !== undefined;
      expect([route.id, requestBody !== undefined]).toEqual([route.id, reads]);
      if (!reads) continue;
      const types = route.textBody?.types ?? ["application/json"];
      expect(Object.keys(requestBody.content)).toEqual(types);
    }
  });

  it("names each code it refuses with, beside the status it comes under", () => {
    for (const route of ALL) {
      const { responses } = operationOf(route);
      for (const [status, response] of Object.entries<Json>(responses)) {
        expect(response.description).toMatch(/\S/);
        if (Number(status) < 400) continue;
        expect(response.content["application/problem+json"].schema).toEqual({
          $ref: "#/components/schemas/Problem",
        });
        for (const code of response.description.split(", "))
          expect([code, statusOf(code)]).toEqual([code, Number(status)]);
      }
      const always: Reason[] = ["invalid_request", "body_too_large", "rate_limited", "internal"];
      const known: Reason[] = ["unauthenticated", "token_revoked", "forbidden"];
      for (const code of [...always, ...(route.role === null ? [] : known), ...route.refuses])
        expect([route.id, responses[statusOf(code)].description.split(", ")]).toEqual([
          route.id,
          expect.arrayContaining([code]),
        ]);
    }
  });

  it("declares an answer for each status it succeeds with", () => {
    for (const route of ALL) {
      const { responses } = operationOf(route);
      const good = Object.keys(responses).filter((status) => Number(status) < 400);
      expect([route.id, good]).toEqual([route.id, Object.keys(route.answers)]);
      for (const status of good) {
        const content = responses[status].content;
        if (status === "204" || status === "101") expect(content).toBeUndefined();
        else expect(Object.keys(content)).toEqual([route.textAnswer?.type ?? "application/json"]);
      }
    }
  });
});

it("says what a claim and a task look like", () => {
  const { Claim, Task, Lease, CreateTask, Problem } = document.components.schemas;
  expect(Claim.properties.lease).toEqual({ $ref: "#/components/schemas/Lease" });
  expect(Lease.required).toEqual(expect.arrayContaining(["executionId", "epoch", "token", "expiresAt"]));
  expect(Task.required).toEqual(
    expect.arrayContaining(["id", "number", "status", "lease", "version", "changeSeq"]),
  );
  expect(CreateTask).toMatchObject({ required: ["title"], additionalProperties: false });
  expect(CreateTask.properties.title).toMatchObject({ type: "string", minLength: 1, maxLength: 500 });
  expect(CreateTask.properties.priority).toMatchObject({ type: "integer", minimum: 0, maximum: 9 });
  expect(Problem.properties.code.enum).toEqual(
    expect.arrayContaining(["conflict", "lease_lost", "board_full"]),
  );
  expect(METHODS).toEqual(expect.arrayContaining([...new Set(operations().map(({ method }) => method))]));
});
