/** Is an export whole, and the board the same as what it says? */
import type { Answer } from "../../../client/calls.ts";
import { count } from "../../words.ts";
import type { AtScratch, Check } from "../check.ts";
import { failed, good, type Verdict } from "../verdict.ts";

const WRITTEN = { title: "copied", description: 'Two lines,\nsome "quotes", and 👩‍👩‍👧‍👦.' };
const NO_BACKUP = "Do not rely on exports of this deployment as backups.";

export const copy: Check<AtScratch> = {
  name: "copy",
  async run({ lead }) {
    const { task } = await lead.tasks.create(WRITTEN);
    const text = await new Response(await lead.export()).text();
    const fault = faultOf(text, { id: task.id, ...WRITTEN });
    if (fault !== null) return fault;
    return judgeCopy(await lead.import(text, { format: "edgeboard", dryRun: true }));
  },
};

interface Written {
  id: string;
  title: string;
  description: string;
}

/** Its last line says that it is whole; of the task that was just written it has to say the same. */
export function faultOf(text: string, { id, title, description }: Written): Verdict | null {
  const lines = text.trimEnd().split("\n").map(parsed);
  if (lines.at(-1)?.["type"] !== "end")
    return failed("An export breaks off before its end.", "Does what is in front cut long answers?");
  const said = lines.find((line) => line?.["type"] === "task" && line["id"] === id);
  if (said?.["title"] === title && said["description"] === description) return null;
  return failed("An export does not say of a task what was written.", NO_BACKUP);
}

export function judgeCopy({ created, updated, unchanged, issues }: Answer<"importTasks">): Verdict {
  if (created + updated + issues.length === 0 && unchanged > 0)
    return good(`An export of ${count(unchanged, "task")} is whole, and would change nothing on its board.`);
  return failed(
    `An export would change the board it is of: ${created} new, ${updated} other, ${count(issues.length, "fault")}.`,
    NO_BACKUP,
  );
}

function parsed(line: string): Record<string, unknown> | null {
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}
