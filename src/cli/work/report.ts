/**
 * What a command may say of itself, as JSON in the file that EDGEBOARD_REPORT_FILE names. All of it is optional. What
 * cannot be read is left out and told as a warning: an agent that is bad at JSON may still be good at its work.
 */
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { handoff } from "../../contract/task.ts";
import { count, longText, money, text } from "../../contract/text.ts";

/** One body of the board takes 256 KB; parts of this stand in it twice, and the runner adds words of its own. */
const REPORT_MAX_BYTES = 96 * 1_024;

export const OUTCOMES = ["done", "in_review", "blocked", "failed"] as const;

const FIELDS = {
  outcome: z.enum(OUTCOMES),
  reason: longText,
  summary: longText,
  handoff,
  beforeCommit: text(128),
  afterCommit: text(128),
  inputTokens: count,
  outputTokens: count,
  cacheRead: count,
  cacheWrite: count,
  costUsd: money,
};

export type Report = { [K in keyof typeof FIELDS]?: z.output<(typeof FIELDS)[K]> };

export interface ReadReport {
  report: Report;
  warnings: string[];
}

/** Pure. A file that is not there says nothing. */
export function parseReport(source: string | null): ReadReport {
  if (source === null || source.trim() === "") return { report: {}, warnings: [] };
  if (Buffer.byteLength(source) > REPORT_MAX_BYTES)
    return unread(`it is larger than ${REPORT_MAX_BYTES / 1_024} KB`);
  let json: unknown;
  try {
    json = JSON.parse(source);
  } catch (error) {
    return unread((error as Error).message);
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) return unread("it is not an object");
  const report: Record<string, unknown> = {};
  const warnings: string[] = [];
  for (const [name, value] of Object.entries(json)) {
    const field = Object.hasOwn(FIELDS, name) ? FIELDS[name as keyof typeof FIELDS] : undefined;
    const read = field?.safeParse(value);
    if (read?.success === true) report[name] = read.data;
    else warnings.push(warning(`${name.slice(0, 64)} ${read?.error.issues[0]?.message ?? "is not known"}`));
  }
  return { report, warnings: warnings.slice(0, 20) };
}

export async function readReport(file: string): Promise<ReadReport> {
  try {
    return parseReport(await readFile(file, "utf8"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return parseReport(null);
    return unread((error as Error).message);
  }
}

function unread(why: string): ReadReport {
  return { report: {}, warnings: [warning(why)] };
}

/** What went wrong may quote the file, and the board takes no broken text. */
const warning = (why: string): string => `report file: ${why}`.replaceAll("\0", "").toWellFormed();
