/** How the page in `src/web` becomes the files in `dist/web`. */
import { join } from "node:path";
import { defineConfig } from "vite";

export default defineConfig({
  root: join(import.meta.dirname, "src/web"),
  publicDir: "public",
  resolve: {
    // The page is written against React's interface, in a tenth of its size; the longer names come first.
    alias: [
      { find: "react/jsx-runtime", replacement: "preact/jsx-runtime" },
      { find: "react-dom/client", replacement: "preact/compat/client" },
      { find: /^react(?:-dom)?$/, replacement: "preact/compat" },
    ],
  },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: join(import.meta.dirname, "dist/web"),
    // Everything else in there is put beside the page afterwards.
    emptyOutDir: true,
    target: "es2024",
    // Its policy allows no script that is written into a document, and no data as a script or style.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
    cssCodeSplit: true,
  },
});
