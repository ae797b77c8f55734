/** The board as a graph: tasks and the edges between them, of a filter or around a task. */
import type { Graph } from "../../contract/insight.ts";
import { GRAPH_EDGES_MAX } from "../../contract/limits.ts";
import { accept, type Refusal, type Result } from "../../contract/result.ts";
import { isEdgeSatisfied, isReady } from "../../rules/readiness.ts";
import type { Context } from "../context.ts";
import { lastSeq } from "../store/events.ts";
import {
  type EdgeRow,
  edgesAmong,
  filteredNumbers,
  type GraphFilter,
  type NodeRow,
  neighbourNumbers,
  nodesOf,
} from "../store/graph.ts";
import { readinessOf } from "../view.ts";
import { holderOf } from "./claim-refusal.ts";
import { requireTask, resolveId } from "./find-task.ts";

export interface GetGraph {
  /** In place of the filter: a task, and how many edges away from it to go, whichever way they point. */
  around: { id: string; depth: number } | null;
  filter: GraphFilter;
  limit: number;
}

/** Newest first, or nearest first around a task; dropped tasks are left out of a filter, never of a neighbourhood. */
export function getGraph(ctx: Context, input: GetGraph): Result<Graph> {
  const numbers = chosen(ctx, input);
  if (!Array.isArray(numbers)) return numbers;
  const rows = nodesOf(ctx.sql, numbers.slice(0, input.limit));
  const nodes = new Map(rows.map((row) => [row.id, row]));
  const edges = edgesAmong(ctx.sql, [...nodes.keys()], GRAPH_EDGES_MAX + 1);
  return accept({
    nodes: rows.map((row) => viewNode(ctx, row)),
    edges: edges.slice(0, GRAPH_EDGES_MAX).map((edge) => viewEdge(edge, nodes)),
    truncated: numbers.length > input.limit || edges.length > GRAPH_EDGES_MAX,
    seq: lastSeq(ctx.sql),
  });
}

/** One more than asked for, where there are more. */
function chosen(ctx: Context, { around, filter, limit }: GetGraph): number[] | Refusal {
  if (around === null) {
    const parent = filter.parentTaskId;
    const parentTaskId = parent === null ? null : resolveId(ctx, parent);
    return filteredNumbers(ctx.sql, { ...filter, parentTaskId }, limit + 1);
  }
  const found = requireTask(ctx, around.id);
  return found.ok ? neighbourNumbers(ctx.sql, found.task.id, around.depth, limit + 1) : found;
}

function viewNode(ctx: Context, row: NodeRow): Graph["nodes"][number] {
  const { run_agent_id: agent_id, run_beat_at: last_beat_at, epoch } = row;
  const run = agent_id === null || last_beat_at === null ? null : { agent_id, last_beat_at, epoch };
  const holder = holderOf(ctx, row, run);
  return {
    id: row.id,
    number: row.number,
    title: row.title,
    status: row.status,
    ready: isReady(readinessOf(row), ctx.now),
    priority: row.priority,
    parentTaskId: row.parent_task_id,
    dropped: row.dropped === 1,
    ...(holder === null ? {} : { holder }),
  };
}

function viewEdge(edge: EdgeRow, nodes: ReadonlyMap<string, NodeRow>): Graph["edges"][number] {
  const blocker = nodes.get(edge.depends_on_task_id) as NodeRow;
  return {
    from: edge.depends_on_task_id,
    to: edge.task_id,
    onCancel: edge.on_cancel,
    satisfied: isEdgeSatisfied(blocker.status, edge.on_cancel),
  };
}
