/**
 * `npm run conformance -- <url>`: what docs/api.md promises, asked of any Edgeboard from outside. It needs its address
 * and EDGEBOARD_OPERATOR_TOKEN, makes boards of its own and deletes them. Without an address it starts a server.
 */
import { globSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { startScratch } from "../demo/scratch.ts";

const [url] = process.argv.slice(2);
const operatorToken = process.env["EDGEBOARD_OPERATOR_TOKEN"];
if (url !== undefined && (!URL.canParse(url) || operatorToken === undefined)) {
  console.error(
    "npm run conformance -- [url], with EDGEBOARD_OPERATOR_TOKEN of that deployment in the environment",
  );
  process.exit(2);
}
const scratch = url === undefined ? await startScratch() : null;
const env = {
  ...process.env,
  EDGEBOARD_URL: url ?? scratch?.url,
  EDGEBOARD_OPERATOR_TOKEN: scratch?.operatorToken ?? operatorToken,
};
const files = globSync(join(import.meta.dirname, "*.test.ts")).toSorted();
const counts = { passed: 0, failed: 0 };
// Most of them wait for the server most of the time.
const tests = run({ files, concurrency: 4, env: env as NodeJS.ProcessEnv });
tests.on("test:pass", ({ nesting, details }) => {
  if (nesting === 0 && details.type !== "suite") counts.passed++;
});
tests.on("test:fail", () => {
  counts.failed++;
});
const report = tests.compose(spec);
report.pipe(process.stdout);
await new Promise((resolve) => report.on("end", resolve));
await scratch?.stop();
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 ? 0 : 1);
