/** The interface as the server itself describes it: each call with what it takes and what it may answer. */
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { ROLES, type Role } from "../../src/contract/roles.ts";
import { type Json, send } from "./wire.ts";

export interface Parameter {
  name: string;
  schema: Json;
  required: boolean;
}

/** What is wrong with a value; null: nothing. */
export type Check = (value: Json) => string | null;

export interface Operation {
  id: string;
  method: string;
  /** With `{names}` in braces. */
  path: string;
  /** The least role that may call; null: no token at all. */
  role: Role | null;
  params: string[];
  query: Parameter[];
  /** Headers of its own, in lower case. */
  headers: string[];
  /** What it reads, by content type; empty: nothing. */
  body: Record<string, Json>;
  /** Its successes by status: the type, and the check of a JSON answer. */
  answers: Map<number, { type: string | null; check: Check | null }>;
  /** The codes it says it may be refused with. */
  codes: Set<string>;
}

export interface Interface {
  operations: Operation[];
  /** The call that a request really is, however its path was written; undefined: none. */
  hitBy: (method: string, target: string) => Operation | undefined;
  /** A schema with its reference followed. */
  resolve: (schema: Json) => Json;
  problem: Check;
}

const DOCUMENT = "/api/v1/openapi.json";

export async function readInterface(url: string): Promise<Interface> {
  const { json: document } = await send(url, { method: "GET", target: DOCUMENT, headers: {}, body: null });
  // The document is one large schema as far as references go; what it says besides is no keyword of ours.
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: false });
  ajv.addSchema(document, "api");
  const checkOf = (...path: string[]): Check => {
    const pointer = path.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/");
    const validate = ajv.compile({ $ref: `api#/${pointer}` });
    return (value) => (validate(value) ? null : (validate.errors ?? []).map(inWords).join("; "));
  };
  const resolve = (schema: Json): Json =>
    typeof schema?.$ref === "string" ? resolve(at(document, schema.$ref)) : schema;
  const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => describe(path, method, operation, checkOf)),
  );
  const patterns = operations.map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`));
  const hitBy = (method: string, target: string) => {
    const { pathname } = new URL(target, url);
    const asked = method === "HEAD" ? "GET" : method;
    return operations.find((one, index) => one.method === asked && patterns[index]?.test(pathname) === true);
  };
  return { operations, resolve, hitBy, problem: checkOf("components", "schemas", "Problem") };
}

function describe(path: string, method: string, operation: Json, checkOf: (...path: string[]) => Check) {
  const parameters: Json[] = operation.parameters ?? [];
  const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const described: Operation = {
    id: operation.operationId,
    method: method.toUpperCase(),
    path,
    role: ROLES.find((role) => operation.description.startsWith(`Role: ${role} `)) ?? null,
    params: named("path").map(({ name }) => name),
    query: named("query").map(({ name, schema, required = false }) => ({ name, schema, required })),
    headers: named("header").map(({ name }) => name.toLowerCase()),
    body: Object.fromEntries(
      Object.entries<Json>(operation.requestBody?.content ?? {}).map(([type, { schema }]) => [type, schema]),
    ),
    answers: new Map(),
    codes: new Set(),
  };
  for (const [status, { description, content = {} }] of Object.entries<Json>(operation.responses)) {
    const type = Object.keys(content)[0] ?? null;
    if (type === "application/problem+json")
      for (const code of description.split(", ")) described.codes.add(code);
    else {
      const place = ["paths", path, method, "responses", status, "content", String(type), "schema"];
      const check = type === "application/json" ? checkOf(...place) : null;
      described.answers.set(Number(status), { type, check });
    }
  }
  return described;
}

const inWords = ({ instancePath, message }: ErrorObject): string => `${instancePath} ${message}`;

/** What a local reference leads to. */
function at(document: Json, reference: string): Json {
  const parts = reference.slice(2).split("/");
  return parts.reduce((value, part) => value?.[part.replaceAll("~1", "/").replaceAll("~0", "~")], document);
}
