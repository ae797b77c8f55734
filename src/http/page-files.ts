/** The page's own files, whose names say what is in them; everything else of the page is answered without us. */
import { createMiddleware } from "hono/factory";
import type { Edge } from "./edge.ts";

/**
 * A name that is not there would be answered with the page, and kept for a year in its place: whoever asks for it
 * from a build before or after this one is told that there is nothing.
 */
export const pageFiles = createMiddleware<Edge>(async (c, next) => {
  const file = await c.env.ASSETS.fetch(c.req.raw);
  if (file.headers.get("content-type")?.startsWith("text/html") === true) return next();
  return file;
});
