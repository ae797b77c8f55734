/** How a run ends, from what its command did, what it reported and what the gate said. Pure. */
import type { Ending } from "../../client/index.ts";
import { TEXT_MAX } from "../../contract/limits.ts";
import type { Handoff } from "../../contract/task.ts";
import type { Closed } from "./bench.ts";
import type { Ran } from "./command.ts";
import type { ReadReport } from "./report.ts";
import { type Failure, lastWords } from "./verdict.ts";

const SAID_CHARS = 2_000;

/** What the command itself says: that it failed, that a person is needed; null: now the gate is asked. */
export function endingOfCommand(ran: Ran, { report }: ReadReport): Ending | null {
  if (report.outcome === "blocked") {
    const reason = report.reason ?? report.summary ?? "The command asked for a person.";
    return { outcome: "failed", status: "blocked", blockedReason: reason, error: reason };
  }
  if (ran.exitCode === 0 && report.outcome !== "failed") return null;
  const how =
    ran.exitCode === null
      ? `The command was ended (${ran.endedBy}).`
      : `The command ended with exit code ${ran.exitCode}.`;
  const error = [report.reason ?? how, lastWords(ran)].filter((part) => part !== "").join("\n\n");
  return { outcome: "failed", status: "todo", error: end(error) };
}

/** Through the gate, or there is none. `needsVerdict`: the board lets nothing be done without one. */
export function endingOfSuccess({ report }: ReadReport, needsVerdict: boolean): Ending {
  return {
    outcome: "succeeded",
    status: needsVerdict || report.outcome === "in_review" ? "in_review" : "done",
  };
}

/** Without a word of its own, what the command said last on its standard output: with an agent that is its answer. */
export function summaryOf({ report }: ReadReport, ran: Ran | null): string | undefined {
  const said = ran?.stdoutTail.trim().slice(-SAID_CHARS).toWellFormed();
  return report.summary ?? (said === "" ? undefined : said);
}

/** Every fix was tried. The verdict on the task has what it is about, as debt. */
export function endingOfDebt({ what, why, howToFix }: Failure, cycles: number): Ending {
  const fixes = cycles - 1;
  const tried = fixes === 0 ? "No fix was tried." : `${fixes} ${fixes === 1 ? "fix" : "fixes"} did not help.`;
  return {
    outcome: "failed",
    status: "blocked",
    blockedReason: `${what} ${tried}`,
    error: end(`${what}\n\n${why}\n\n${howToFix}`),
  };
}

/** What goes to the next holder: the command's own words, and what only the runner knows. */
export function handoffOf(
  { report, warnings }: ReadReport,
  facts: {
    verify: string | null;
    runtime: string | undefined;
    kept: Closed["kept"];
    afterCommit: string | undefined;
    failure: Failure | null;
    /** What was said before it had to stop. */
    interrupted: string | null;
  },
): Handoff {
  const said = report.handoff ?? {};
  const { verify, kept, failure, interrupted } = facts;
  const place =
    kept === null
      ? null
      : `Branch ${kept.branch} in ${kept.path}, begun from ${kept.baseSha}, now at ${facts.afterCommit}.`;
  const evidence = [said.evidence, place, failure?.why, interrupted].filter((part) => part).join("\n\n");
  const broken = [...(said.broken ?? []), ...(failure === null ? [] : [failure.what])].slice(-100);
  const warned = [...(said.warnings ?? []), ...warnings].slice(-100);
  const next = said.next ?? failure?.howToFix;
  const commands = {
    ...(verify === null ? {} : { verify: verify.slice(0, 2_000).toWellFormed() }),
    ...said.commands,
  };
  const runtime = said.runtime ?? facts.runtime;
  return {
    ...said,
    ...(broken.length === 0 ? {} : { broken }),
    ...(next === undefined ? {} : { next }),
    ...(Object.keys(commands).length === 0 ? {} : { commands }),
    ...(evidence === "" ? {} : { evidence: end(evidence) }),
    ...(warned.length === 0 ? {} : { warnings: warned }),
    ...(runtime === undefined ? {} : { runtime }),
  };
}

/** As much as the board takes; of code points there are never more than of what is counted here. */
const end = (text: string) => text.slice(-TEXT_MAX).toWellFormed();
