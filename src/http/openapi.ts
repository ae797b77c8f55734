/** The interface as an OpenAPI 3.1 document, from the same values the server runs on. */
import * as z from "zod";
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from "zod-openapi";
import { problem } from "../contract/answers.ts";
import { IDEMPOTENCY_KEY_MAX } from "../contract/limits.ts";
import type { Reason } from "../contract/reasons.ts";
import { BASE, type Route } from "../contract/route.ts";
import { ROUTES } from "../contract/routes.ts";
import { statusOf } from "./problem.ts";

/** What any call may be refused for. */
const ALWAYS: readonly Reason[] = ["invalid_request", "body_too_large", "rate_limited", "internal"];

/** What any call with a token may be refused for, besides. */
const EVERYWHERE: readonly Reason[] = [
  "unauthenticated",
  "token_expired",
  "token_revoked",
  "forbidden",
  "board_not_found",
  "board_unavailable",
  "sign_in_unavailable",
  "board_overloaded",
  "board_full",
];

export function openApiDocument(version: string) {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of Object.values<Route>(ROUTES).sort(byPath)) {
    const path = BASE + route.path.replace(/:(\w+)/g, "{$1}");
    const item = paths[path] ?? {};
    item[route.method.toLowerCase() as "get"] = operation(route);
    paths[path] = item;
  }
  return createDocument({
    openapi: "3.1.0",
    info: {
      title: "Edgeboard",
      version,
      description: "The task board for teams of coding agents: claims, leases, dependencies, verdicts.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    components: { securitySchemes: { bearer: { type: "http", scheme: "bearer", bearerFormat: "JWT" } } },
    paths,
  });
}

/** Collections before their members, reading before writing. */
function byPath(a: Route, b: Route): number {
  const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"];
  return a.path.localeCompare(b.path) || methods.indexOf(a.method) - methods.indexOf(b.method);
}

function operation(route: Route): ZodOpenApiOperationObject {
  return {
    operationId: route.id,
    tags: [route.tag],
    summary: route.summary,
    description: route.role === null ? "No token needed." : `Role: ${route.role} or above.`,
    requestParams: {
      path: z.object(
        Object.fromEntries([...route.path.matchAll(/:(\w+)/g)].map((match) => [match[1], z.string()])),
      ),
      ...(route.query === undefined ? {} : { query: route.query as z.ZodObject }),
      ...headers(route),
    },
    ...requestBody(route),
    responses: { ...successes(route), ...refusals(route) },
  };
}

function headers(route: Route): { header?: z.ZodObject } {
  const shape: Record<string, z.ZodType> = {};
  if (route.keyed === true)
    shape["Idempotency-Key"] = z
      .string()
      .max(IDEMPOTENCY_KEY_MAX)
      .optional()
      .meta({ description: "The same key and body again: the same answer, done once" });
  if (route.conditional === true) {
    shape["If-Match"] = z.string().optional().meta({ description: "The task's ETag" });
    shape["If-Match-Seq"] = z.string().optional().meta({ description: "The task's changeSeq" });
  }
  return Object.keys(shape).length === 0 ? {} : { header: z.object(shape) };
}

function requestBody(route: Route): Pick<ZodOpenApiOperationObject, "requestBody"> {
  if (route.textBody !== undefined) {
    const schema = z.string().meta({ description: route.textBody.description });
    return {
      requestBody: { content: Object.fromEntries(route.textBody.types.map((type) => [type, { schema }])) },
    };
  }
  if (route.body === undefined) return {};
  return { requestBody: { content: { "application/json": { schema: route.body } } } };
}

function successes(route: Route): ZodOpenApiOperationObject["responses"] {
  const responses: ZodOpenApiOperationObject["responses"] = {};
  for (const [status, schema] of Object.entries(route.answers))
    responses[status as "200"] =
      schema === null
        ? { description: "Done", ...textContent(route) }
        : { description: "Done", content: { "application/json": { schema } } };
  return responses;
}

function textContent({ textAnswer }: Route) {
  if (textAnswer === undefined) return {};
  const schema = z.string().meta({ description: textAnswer.description });
  return { content: { [textAnswer.type]: { schema } } };
}

/** One answer per status, naming its codes. */
function refusals(route: Route): ZodOpenApiOperationObject["responses"] {
  const always = [...ALWAYS, ...(route.role === null ? [] : EVERYWHERE)];
  const typed: Reason[] =
    route.body === undefined && route.textBody === undefined ? [] : ["unsupported_media_type"];
  const keyed: Reason[] = route.keyed === true ? ["idempotency_mismatch"] : [];
  const byStatus = Map.groupBy(new Set<Reason>([...always, ...typed, ...keyed, ...route.refuses]), statusOf);
  const responses: ZodOpenApiOperationObject["responses"] = {};
  for (const [status, codes] of byStatus)
    responses[String(status) as "400"] = {
      description: codes.join(", "),
      content: { "application/problem+json": { schema: problem } },
    };
  return responses;
}
