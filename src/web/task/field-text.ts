/** The fields of a task as people read and write them. */
import type { Task } from "../../contract/task.ts";
import { moment, money } from "../ui/format.ts";
import type { EditableField } from "./guarded-edit.ts";

export const FIELD_NAMES: Record<EditableField, string> = {
  title: "Title",
  description: "Description",
  priority: "Priority",
  labels: "Labels",
  kind: "Kind",
  teamId: "Team",
  requiredCapabilities: "Needs",
  notBefore: "Not before",
  parentTaskId: "Parent",
  externalRef: "External reference",
  budgetUsd: "Budget",
};

export function fieldText(name: EditableField, value: Task[EditableField] | undefined): string {
  if (value === null || value === undefined || value === "") return "–";
  if (Array.isArray(value)) return value.length === 0 ? "–" : value.join(", ");
  if (name === "notBefore" && typeof value === "number") return moment(value);
  if (name === "budgetUsd" && typeof value === "number") return money(value);
  return String(value);
}

/** `a, b` in a field: what is empty or stands twice goes. */
export function listFrom(text: string): string[] {
  return [...new Set(text.split(",").map((part) => part.trim()))].filter((part) => part !== "");
}

/** As a field of the type `datetime-local` has it: the time of whoever looks. */
export function localTime(at: number | null): string {
  if (at === null) return "";
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

export function timeFrom(text: string): number | null {
  const at = new Date(text).getTime();
  return text === "" || Number.isNaN(at) ? null : at;
}
