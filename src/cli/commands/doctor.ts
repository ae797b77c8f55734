import { command } from "../command.ts";
import { readConfig } from "../config.ts";
import { NAMES } from "../doctor/checks.ts";
import { examine } from "../doctor/examine.ts";
import { findingLine, summaryLine } from "../doctor/report.ts";
import { optional, someOf, text, word } from "../options.ts";

export default command({
  summary: "Check a deployment from end to end, and say what to mend",
  details: `With the operator's token it makes a board of its own, works on it as a team would, and deletes it again. With any
other token it only reads. A warning does not fail; docs/doctor.md has all checks.`,
  args: { url: optional(word("the server; EDGEBOARD_URL, that of login or the local one otherwise")) },
  options: {
    only: someOf("-o, --only <check>", "this check and what it needs, may be repeated", NAMES),
    webhook: text("--webhook <url>", "where to send a webhook, for a server that cannot reach this machine"),
  },
  examples: [
    ["edgeboard doctor https://board.example", "after a deployment"],
    ["edgeboard doctor --json | jq .ok", "for a script"],
    ["edgeboard doctor -o webhook --webhook https://example.com/hook", "one thing again"],
  ],
  async run(context, { url, only, webhook }) {
    context.stoppable();
    const { output, env, given, signal: stop } = context;
    stop.addEventListener("abort", () => output.note("Stopping; what was made is deleted first."), {
      once: true,
    });
    const { report, exit } = await examine({
      ...readConfig({ ...given, url: url ?? given.url }, env),
      ...{ only, webhook, stop },
      onFinding: (finding) => {
        if (!output.json) output.line(findingLine(finding, output));
      },
    });
    await output.answer(report, () => summaryLine(report.checks, stop.aborted));
    return exit;
  },
});
