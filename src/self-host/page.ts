/**
 * The page's files from a folder, answered as the platform answers them: with their headers, and with index.html
 * wherever there is no file.
 */
import { type Context, Hono } from "hono";
import { etag } from "hono/etag";
import { serveStatic } from "hono/serve-static";
import type { HeaderRule } from "../local/page-headers.ts";

interface Page {
  Bindings: {
    /** The folder, as the runtime serves it. */
    FILES: Fetcher;
    HEADER_RULES: HeaderRule[];
  };
}

const INDEX = "/index.html";

const app = new Hono<Page>();

app.use(async (c, next) => {
  await next();
  for (const { below, set } of c.env.HEADER_RULES)
    if (c.req.path.startsWith(below)) for (const [name, value] of Object.entries(set)) c.header(name, value);
});
app.use(etag());
app.get("*", serveStatic({ root: "/", rewriteRequestPath: withoutEnd, getContent: content }));
app.get("*", serveStatic({ path: INDEX, getContent: content }));
app.all("*", (c) => c.text("Method Not Allowed", 405, { Allow: "GET, HEAD" }));

export default app;

function withoutEnd(path: string): string {
  return path === "/" ? INDEX : path;
}

/** The runtime lists a folder that is asked for, and that is nobody's to see. */
async function content(path: string, c: Context<Page>): Promise<ReadableStream | null> {
  const file = await c.env.FILES.fetch(new URL(path, "http://files"));
  const isFile = file.ok && file.headers.get("content-type") !== "application/json";
  if (isFile) return file.body;
  await file.body?.cancel();
  return null;
}
