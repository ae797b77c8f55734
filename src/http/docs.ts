/** The interface, for reading: a page that shows the OpenAPI document with a reader served from here. */
import { html } from "hono/html";

/** The reader styles itself inline and draws its icons from data; everything else comes from here. */
export const DOCS_POLICY = {
  defaultSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", "data:"],
  frameAncestors: ["'none'"],
};

export const docsPage = html`<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="icon" href="data:,"><title>Edgeboard interface</title>
    <link rel="stylesheet" href="/docs-reader/swagger-ui.css" />
  </head>
  <body>
    <div id="reader"></div>
    <script src="/docs-reader/swagger-ui-bundle.js"></script>
    <script src="/docs-reader/start.js"></script>
  </body>
</html>`;
