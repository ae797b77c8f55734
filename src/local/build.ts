/** Puts what the Worker serves as files into `dist/web`: for now, the reader of `/docs`. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const target = join(import.meta.dirname, "../../dist/web/docs-reader");
const reader = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

mkdirSync(target, { recursive: true });
for (const file of ["swagger-ui.css", "swagger-ui-bundle.js"])
  copyFileSync(join(reader, file), join(target, file));
writeFileSync(
  join(target, "start.js"),
  `SwaggerUIBundle({ url: "/api/v1/openapi.json", dom_id: "#reader", deepLinking: true, tryItOutEnabled: false });\n`,
);
