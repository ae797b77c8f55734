/**
 * What a dependency in tasks.json means. Within a subtask a bare id is its sibling where there is one, as the tool
 * itself reads it, and a task otherwise; `5.2` is a subtask wherever it is said.
 */
import { findCycle } from "../rules/graph.ts";
import type { Skipped } from "./imported.ts";
import type { Item } from "./taskmaster-file.ts";

/** The subtasks of one task. */
export interface Family {
  /** The task's id in the file, and its reference. */
  parent: { id: string; externalRef: string };
  siblings: ReadonlySet<string>;
  /** By subtask: bare ids that are tasks although there is such a sibling. */
  asTasks: ReadonlyMap<string, ReadonlySet<string>>;
}

/**
 * Plans made of other plans have subtasks that name tasks by bare ids. It shows where siblings would wait for each
 * other in a ring: what closes it and is a task's id as well is read as that task, and told. A ring without such
 * an id stays one, for the board to refuse.
 */
export function familyOf(
  parent: Family["parent"],
  subtasks: readonly Item[],
  taskIds: ReadonlySet<string>,
  skipped: Skipped[],
): Family {
  const siblings = new Set(subtasks.map(({ id }) => id));
  const asTasks = new Map<string, Set<string>>();
  const family: Family = { parent, siblings, asTasks };
  for (;;) {
    const ring = findCycle(siblingGraph(subtasks, family));
    if (ring === null) return family;
    const astray = ring
      .slice(0, -1)
      .map((from, index) => ({ from, to: ring[index + 1] as string }))
      .filter(({ from, to }) => taskIds.has(to) && saysBare(subtasks, from, to, asTasks));
    if (astray.length === 0) return family;
    for (const { from, to } of astray) {
      asTasks.set(from, (asTasks.get(from) ?? new Set()).add(to));
      const ref = `${parent.externalRef}.${from} → ${parent.externalRef}.${to}`;
      skipped.push({ ref, reason: `siblings would wait for each other, so it was read as task ${to}` });
    }
  }
}

/** The reference of what an item waits for. No tag names another tag's tasks. */
export function targetOf(item: Item, target: string, prefix: string, family: Family | null): string {
  const sibling = family === null ? null : siblingOf(item, target, family);
  return sibling === null ? `${prefix}${target}` : `${family?.parent.externalRef}.${sibling}`;
}

function siblingOf(item: Item, target: string, { siblings, asTasks }: Family): string | null {
  return siblings.has(target) && asTasks.get(item.id)?.has(target) !== true ? target : null;
}

/** Who waits for whom among the subtasks, however it is said; of those that share an id, the first. */
function siblingGraph(subtasks: readonly Item[], family: Family): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  const own = `${family.parent.id}.`;
  for (const item of subtasks) {
    if (graph.has(item.id)) continue;
    const targets = (item.dependencies ?? []).map(
      (target) =>
        siblingOf(item, target, family) ?? (target.startsWith(own) ? target.slice(own.length) : null),
    );
    graph.set(
      item.id,
      targets.filter((target) => target !== null),
    );
  }
  return graph;
}

/** And is not read as a task yet: what is left of the ring then is said with a dot. */
function saysBare(subtasks: readonly Item[], from: string, to: string, asTasks: Family["asTasks"]): boolean {
  const item = subtasks.find(({ id }) => id === from);
  return item?.dependencies?.includes(to) === true && asTasks.get(from)?.has(to) !== true;
}
