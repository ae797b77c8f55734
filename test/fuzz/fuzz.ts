/**
 * `npm run test:fuzz`: every call of the interface, by everybody, right, at its bounds and wrong; and attacks that
 * are known by name. docs/design/fuzz.md says what that proves.
 */
import { setPriority } from "node:os";
import { startScratch } from "../demo/scratch.ts";
import { readArguments, USAGE } from "./arguments.ts";
import { attack } from "./attacks/attacks.ts";
import { readInterface } from "./interface.ts";
import { type Run, runLane, type Tally } from "./lane.ts";
import { Random } from "./random.ts";
import { Report } from "./report.ts";
import { newScene } from "./scene.ts";
import { standingOf } from "./standing.ts";

const given = readArguments(process.argv.slice(2));
if (given === null) {
  console.error(USAGE);
  process.exit(2);
}
const { requests, seconds, seed, lanes } = given;
console.log(`seed ${seed}`);
setPriority(10);
const deployment = await startScratch();
const report = new Report([deployment.operatorToken, deployment.signingKey]);
let attacks = 0;
const tally: Tally = { requests: 0, answers: new Map(), judged: 0 };
try {
  attacks = await attack(deployment, report);
  const api = await readInterface(deployment.url);
  const stranger = await newScene(deployment, null);
  const before = await standingOf(stranger);
  const until = seconds === null ? Number.POSITIVE_INFINITY : Date.now() + seconds * 1_000;
  let left = requests;
  const run: Omit<Run, "random"> = {
    ...{ deployment, api, report, tally },
    guarded: [{ board: stranger.board, canary: stranger.canary }],
    stranger: stranger.tokens.lead as string,
    more: () => left-- > 0 && Date.now() < until,
  };
  await Promise.all(
    Array.from({ length: lanes }, (_, lane) => runLane({ ...run, random: new Random(seed + lane * 7_919) })),
  );
  if ((await standingOf(stranger)).text !== before.text)
    report.add("the stranger's board has changed", { url: deployment.url });
} finally {
  await deployment.stop();
}
const common = [...tally.answers].sort(([, a], [, b]) => b - a).map(([what, count]) => `${what}: ${count}`);
console.log(common.join(", "));
console.log(
  `${attacks} attacks, ${tally.requests} requests (seed ${seed}), ${tally.judged} of them seen to change nothing: ` +
    `${report.faults} faults`,
);
process.exit(report.faults === 0 ? 0 : 1);
