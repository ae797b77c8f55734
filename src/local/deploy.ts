/** `npm run deploy`: builds the page, weighs the Worker, and uploads both. docs/operations.md is about all of it. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { readArguments, USAGE } from "./deploy-arguments.ts";
import { measure } from "./measure.ts";
import { upload } from "./upload.ts";
import { WORKER_BOUND } from "./worker-size.ts";
import { ROOT, readConfiguration, runWrangler } from "./wrangler.ts";

const environments = readConfiguration().env ?? {};
const asked = readArguments(process.argv.slice(2), Object.keys(environments));
if (typeof asked === "string") stop(`${asked}\n\n${USAGE}`, 2);

const { environment, dryRun } = asked;
if (!dryRun && (await runWrangler(["whoami", "--json"])).code !== 0)
  stop("not signed in to Cloudflare: run npx wrangler login, or set CLOUDFLARE_API_TOKEN");

execFileSync(process.execPath, [join(ROOT, "src/local/build.ts")], { stdio: "inherit" });
const { lines, fault } = await measure(environment, WORKER_BOUND);
console.log(`\n${lines.map((line) => `  ${line}`).join("\n")}\n`);
if (fault !== null) stop(fault);

if (!dryRun) {
  const obstacle = await upload({
    environment,
    required: environments[environment]?.secrets.required ?? [],
    variables: process.env,
    tell: process.stdout.isTTY ? (words) => console.log(words) : null,
  });
  if (obstacle !== null) stop(obstacle);
}

function stop(words: string, code = 1): never {
  console.error(words);
  process.exit(code);
}
