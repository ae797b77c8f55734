/** Task Master's tasks.json as it is written: tasks with subtasks, bare in older files and under tags since. */
import * as z from "zod";
import { longText, reference, title } from "../contract/text.ts";
import type { ImportIssue, Skipped } from "./imported.ts";
import { moment } from "./moment.ts";

/** Ids are numbers or text; either way they mean the same. */
const itemId = z.union([z.string(), z.number()]).transform(String).pipe(reference);

const item = z.looseObject({
  id: itemId,
  title,
  description: longText.nullish(),
  details: longText.nullish(),
  testStrategy: longText.nullish(),
  acceptanceCriteria: longText.nullish(),
  status: z.string().nullish(),
  priority: z.string().nullish(),
  dependencies: z.array(itemId).nullish(),
  createdAt: moment.nullish(),
  updatedAt: moment.nullish(),
});

const itemWithSubtasks = item.extend({ subtasks: z.array(item).nullish() });

export type Item = z.infer<typeof item>;
export type ItemWithSubtasks = z.infer<typeof itemWithSubtasks>;

const tag = z.looseObject({
  tasks: z.array(z.unknown()),
  metadata: z
    .looseObject({ created: moment.nullish().catch(null) })
    .nullish()
    .catch(null),
});

export interface Tag {
  /** Null in a file without tags. */
  name: string | null;
  /** When the tag was made; null where the file does not say. */
  createdAt: number | null;
  items: ItemWithSubtasks[];
}

export function readTags(source: string, issues: ImportIssue[], skipped: Skipped[]): Tag[] {
  let json: unknown;
  try {
    json = JSON.parse(source);
  } catch {
    issues.push({ path: "", message: "is not JSON" });
    return [];
  }
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    issues.push({ path: "", message: "is not an object of tasks or of tags" });
    return [];
  }
  const bare = tag.safeParse(json);
  if (bare.success) return [readTag(null, bare.data, issues)];
  const tags: Tag[] = [];
  for (const [name, entry] of Object.entries(json)) {
    const parsed = tag.safeParse(entry);
    if (parsed.success) tags.push(readTag(name, parsed.data, issues));
    else skipped.push({ ref: name, reason: "not a tag: it has no list of tasks" });
  }
  if (tags.length === 0) issues.push({ path: "", message: "has neither tasks nor tags with tasks" });
  return tags;
}

function readTag(name: string | null, read: z.infer<typeof tag>, issues: ImportIssue[]): Tag {
  const items: ItemWithSubtasks[] = [];
  for (const [index, entry] of read.tasks.entries()) {
    const parsed = itemWithSubtasks.safeParse(entry);
    if (parsed.success) items.push(parsed.data);
    else {
      const at = [...(name === null ? [] : [name]), "tasks", index];
      for (const { path, message } of parsed.error.issues)
        issues.push({ path: [...at, ...path].join("."), message });
    }
  }
  return { name, createdAt: read.metadata?.created ?? null, items };
}
