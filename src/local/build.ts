/** Puts what the Worker serves as files into `dist/web`: the page, the reader of `/docs`, and their headers. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "vite";
import { PAGE_HEADERS } from "./page-headers.ts";

const ROOT = join(import.meta.dirname, "../..");
const target = join(ROOT, "dist/web");

// Whoever asks for it, also a test: else the page is built for development, with the paths of this machine in it.
process.env["NODE_ENV"] = "production";
// The page first: it empties the folder.
await build({ configFile: join(ROOT, "vite.config.ts"), logLevel: "warn" });
writeFileSync(join(target, "_headers"), PAGE_HEADERS);
copyReader(join(target, "docs-reader"));

function copyReader(folder: string): void {
  const reader = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));
  mkdirSync(folder, { recursive: true });
  for (const file of ["swagger-ui.css", "swagger-ui-bundle.js"])
    copyFileSync(join(reader, file), join(folder, file));
  writeFileSync(
    join(folder, "start.js"),
    `SwaggerUIBundle({ url: "/api/v1/openapi.json", dom_id: "#reader", deepLinking: true, tryItOutEnabled: false });\n`,
  );
}
