/** Whole neighbourhoods of edges and parents, for imports: what they add is held against all of it at once. */
import { MAX_DEPENDENTS } from "../../contract/limits.ts";
import { upstreamEdges } from "./dependencies.ts";
import { jsonChunks } from "./json-rows.ts";
import type { Sql } from "./sql.ts";

/** A node to the nodes it leads to. */
export type Graph = Map<string, string[]>;

/** Above this many tasks, going through every edge is less work than walking up from each. */
const FEW = 5_000;
const PAGE = 5_000;

/** Every edge that stands above these tasks, and perhaps others. */
export function edgesAbove(sql: Sql, taskIds: readonly string[]): Graph {
  return taskIds.length <= FEW ? upstreamEdges(sql, taskIds) : everyPair(sql, EDGES, '["", ""]');
}

/** The parents above these tasks, and perhaps others, each as a list of one. */
export function parentsAbove(sql: Sql, taskIds: readonly string[]): Graph {
  if (taskIds.length > FEW) return everyPair(sql, PARENTS, 0);
  const graph: Graph = new Map();
  for (const ids of jsonChunks(taskIds))
    for (const row of sql.all(LINEAGE, ids)) graph.set(String(row["id"]), [String(row["parent"])]);
  return graph;
}

const LINEAGE = `with recursive lineage(id, parent) as (
    select id, parent_task_id from tasks
    where id in (select value from json_each(?)) and parent_task_id is not null
    union
    select tasks.id, tasks.parent_task_id from lineage cross join tasks on tasks.id = lineage.parent
    where tasks.parent_task_id is not null
  )
  select id, parent from lineage`;

const EDGES = `select task_id as id, depends_on_task_id as target, json_array(task_id, depends_on_task_id) as place
  from task_deps where (task_id, depends_on_task_id) > (?1 ->> 0, ?1 ->> 1)
  order by task_id, depends_on_task_id limit ?2`;

const PARENTS = `select id, parent_task_id as target, number as place from tasks
  where number > ?1 and parent_task_id is not null order by number limit ?2`;

/** A page at a time, and each id once: the pairs of a large board are many, its tasks are fewer. */
function everyPair(sql: Sql, query: string, first: string | number): Graph {
  const graph: Graph = new Map();
  const known = new Map<string, string>();
  const once = (id: string) => {
    const kept = known.get(id);
    if (kept !== undefined) return kept;
    known.set(id, id);
    return id;
  };
  for (let place: string | number | null = first; place !== null; ) {
    const rows = sql.all(query, place, PAGE);
    for (const row of rows) {
      const [id, target] = [once(String(row["id"])), once(String(row["target"]))];
      const targets = graph.get(id);
      if (targets === undefined) graph.set(id, [target]);
      else targets.push(target);
    }
    const last = rows.length < PAGE ? null : rows.at(-1)?.["place"];
    place = typeof last === "string" || typeof last === "number" ? last : null;
  }
  return graph;
}

const CROWDED = `select depends_on_task_id as id from task_deps indexed by task_deps_by_blocker
  where depends_on_task_id in (select value from json_each(?1))
  group by depends_on_task_id having count(*) > ${MAX_DEPENDENTS} limit 1`;

/** One of these that more tasks wait for than may, or null. */
export function crowdedBlocker(sql: Sql, taskIds: Iterable<string>): string | null {
  for (const ids of jsonChunks(taskIds)) {
    const row = sql.first(CROWDED, ids);
    if (row !== null) return String(row["id"]);
  }
  return null;
}

const TARGETS = `select task_id, depends_on_task_id from task_deps
  where task_id in (select value from json_each(?))`;

/** What each of these waits for directly. */
export function edgesOf(sql: Sql, taskIds: Iterable<string>): Map<string, Set<string>> {
  const edges = new Map<string, Set<string>>();
  for (const ids of jsonChunks(taskIds))
    for (const row of sql.all(TARGETS, ids)) {
      const id = String(row["task_id"]);
      const targets = edges.get(id) ?? new Set();
      edges.set(id, targets.add(String(row["depends_on_task_id"])));
    }
  return edges;
}
