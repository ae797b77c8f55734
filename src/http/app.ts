/** The Worker: what it answers, in one page. */
import { Hono } from "hono";
import { requestId } from "hono/request-id";
import { secureHeaders } from "hono/secure-headers";
import { refuse } from "../contract/result.ts";
import { BASE } from "../contract/route.ts";
import { DOCS_POLICY, docsPage } from "./docs.ts";
import type { Edge } from "./edge.ts";
import { logRequest } from "./log-request.ts";
import { mountMcp } from "./mcp.ts";
import { mount } from "./mount.ts";
import { pageFiles } from "./page-files.ts";
import { problem } from "./problem.ts";
import { limitByAddress } from "./rate-limit.ts";
import { archives } from "./routes/archives.ts";
import { boards } from "./routes/boards.ts";
import { claims } from "./routes/claims.ts";
import { dependencies } from "./routes/dependencies.ts";
import { imports } from "./routes/import.ts";
import { insight } from "./routes/insight.ts";
import { live } from "./routes/live.ts";
import { log } from "./routes/log.ts";
import { me } from "./routes/me.ts";
import { session } from "./routes/session.ts";
import { stats } from "./routes/stats.ts";
import { steering } from "./routes/steering.ts";
import { tasks } from "./routes/tasks.ts";
import { webhooks } from "./routes/webhooks.ts";
import { failureOf } from "./stub-failure.ts";
import { VERSION } from "./version.ts";

export const app = new Hono<Edge>();

app.use(requestId({ limitLength: 128 }));
// What is found here has headers of its own.
app.use("/assets/*", pageFiles);
app.use(logRequest);
// The first one has the last word.
app.use("/docs", secureHeaders({ xFrameOptions: "DENY", contentSecurityPolicy: DOCS_POLICY }));
app.use(
  secureHeaders({
    xFrameOptions: "DENY",
    contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  }),
);
app.use(`${BASE}/*`, limitByAddress);

app.get("/healthz", (c) => c.json({ status: "ok", version: VERSION }));
app.get("/docs", (c) => c.html(docsPage));
app.get(`${BASE}/openapi.json`, async (c) => {
  const { openApiDocument } = await import("./openapi.ts");
  return c.json(openApiDocument(VERSION) as object);
});

mount(app, [
  ...boards,
  ...me,
  ...tasks,
  ...imports,
  ...archives,
  ...claims,
  ...dependencies,
  ...steering,
  ...insight,
  ...log,
  ...live,
  ...session,
  ...stats,
  ...webhooks,
]);

mountMcp(app);

app.notFound((c) => problem(c, refuse("route_not_found", "There is nothing here.", { hint: "See /docs." })));

app.onError((error, c) => problem(c, failureOf(error, c.get("requestId"))));
