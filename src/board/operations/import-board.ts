/**
 * Brings an Edgeboard export in, all or nothing. An empty board becomes the one that was exported. On any other
 * a task is matched by its id, then by its reference; the later `updatedAt` wins, what people said and did is
 * added where it is not known yet, and nothing is deleted.
 */
import { IMPORT_EVENT_MAX_CHARS, IMPORT_ISSUES_MAX } from "../../contract/limits.ts";
import { accept, type Result, refuse } from "../../contract/result.ts";
import { surveyBoard } from "../../import-export/edgeboard.ts";
import type { LineOf } from "../../import-export/edgeboard-lines.ts";
import type { Source } from "../../import-export/source.ts";
import { Masking } from "../../rules/masking.ts";
import { audit, type Context } from "../context.ts";
import { saveBoard } from "../store/board-row.ts";
import { followEvents, tellComments, tellCreated, tellRuns, tellWorkspaces } from "../store/import-events.ts";
import { recountLedger } from "../store/import-history.ts";
import { newSettings } from "./board.ts";
import { graphFault, parentRing } from "./import-graph.ts";
import { type AddedHistory, addHistory } from "./import-history.ts";
import { type Places, placeTasks } from "./import-places.ts";
import type { ImportReport } from "./import-tasks.ts";
import { writeEdges, writeTasks } from "./import-write.ts";

export interface ImportBoard {
  source: Source;
  reset: boolean;
  dryRun: boolean;
}

export interface ImportedBoard {
  report: ImportReport;
  /** The name the board took over, for whoever lists boards. */
  renamed: string | null;
}

export function importBoard(ctx: Context, input: ImportBoard): Result<ImportedBoard> {
  const survey = surveyBoard(input.source);
  const { board, issues } = survey;
  if (issues.length > 0 || board === null)
    return refuse("import_invalid", "The source has faults; nothing was stored.", { issues });
  const placed = placeTasks(ctx, survey);
  if (!placed.ok) return placed;
  const places = placed.value;
  const names = new Map([...places.bySource.values()].map(({ id, brief }) => [id, brief.externalRef ?? id]));
  const nameOf = (id: string) => names.get(id) ?? id;
  const lineage = new Map(
    [...survey.tasks.values()].map((task) => [task.id, [task.parentTaskId ?? []].flat()]),
  );
  const ring = parentRing(lineage, (id) => nameOf(places.idOf(id) ?? id));
  if (ring !== null) return ring;
  const taken = places.restores ? takeOver(ctx, board) : accept(null);
  if (!taken.ok) return taken;
  const firstSeq = ctx.log.reserve(places.created.length);
  const masking = new Masking();
  const updated = writeTasks(ctx, { ...input, masking }, survey, places, firstSeq);
  const edges = writeEdges(ctx, survey, places, updated);
  const fresh = [...places.bySource.values()].filter(({ fate }) => fate === "created" || fate === "updated");
  const taskIds = fresh.map(({ id }) => id);
  const fault = graphFault(ctx, { taskIds, blockerIds: edges.blockerIds, nameOf });
  if (fault !== null) return fault;
  const history = addHistory(ctx, input.source, places, masking);
  if (!history.ok) return history;
  if (history.value.runs.length > 0) {
    recountLedger(ctx.sql);
    // Runs that ended long ago may have texts to empty; the alarm looks at all of them.
    ctx.due(ctx.now);
  }
  tellAll(ctx, places, history.value);
  const count = (fate: string) => [...places.bySource.values()].filter((place) => place.fate === fate).length;
  const report: ImportReport = {
    created: places.created.length,
    updated: updated.size,
    unchanged: count("unchanged"),
    staleSkipped: count("stale"),
    edges: edges.added,
    comments: history.value.comments,
    executions: history.value.runs.length,
    workspaces: history.value.workspaces.length,
    skipped: [...edges.skipped, ...history.value.skipped],
    issues: [],
    ...(masking.found.length === 0 ? {} : { masked: masking.found.slice(0, IMPORT_ISSUES_MAX) }),
  };
  const { created, updated: changed } = report;
  audit(ctx, "import", { data: { source: "edgeboard", from: board.id, created, updated: changed } });
  return accept({ report, renamed: taken.value });
}

/** Name and settings of the board that comes in; the new name, where it is one. */
function takeOver(ctx: Context, board: LineOf<"board">): Result<string | null> {
  const settings = newSettings(board.settings);
  if (!settings.ok) return settings;
  const renamed = board.name === ctx.board.name ? null : board.name;
  const turned = JSON.stringify(settings.value) !== JSON.stringify(ctx.board.settings);
  if (renamed === null && !turned) return accept(null);
  saveBoard(ctx.sql, { ...ctx.board, name: board.name, settings: settings.value, updatedAt: ctx.now });
  ctx.log.append({
    seq: ctx.log.reserve(),
    kind: "board_changed",
    data: {
      ...(renamed === null ? {} : { name: renamed }),
      ...(turned ? { settings: settings.value } : {}),
      reason: "import",
    },
  });
  return accept(renamed);
}

/**
 * A new task is told in one event with all that came with it; only what would not fit, and what was added to
 * tasks that stood already, is told piece by piece.
 */
function tellAll(ctx: Context, places: Places, history: AddedHistory): void {
  const told = { now: ctx.now, actor: ctx.log.actor };
  const large = places.created.filter(isLarge).map(({ id }) => id);
  const [first] = places.created;
  if (first !== undefined) tellCreated(ctx.sql, told, first.number, large);
  const whole = new Set(places.created.filter((place) => !isLarge(place)).map(({ id }) => id));
  const apart = <T>(rows: readonly T[], taskId: (row: T) => string) =>
    rows.filter((row) => !whole.has(taskId(row)));
  const runs = apart(history.runs, (run) => run.task_id);
  const workspaces = apart(history.workspaces, (workspace) => workspace.task_id);
  const said = [...history.saidOn].filter((id) => !whole.has(id));
  ctx.log.reserve(tellComments(ctx.sql, told, ctx.log.last(), history.firstComment, said));
  ctx.log.reserve(tellRuns(ctx.sql, told, ctx.log.last(), runs));
  const ids = workspaces.map(({ id }) => id);
  ctx.log.reserve(tellWorkspaces(ctx.sql, told, ctx.log.last(), ids));
  followEvents(ctx.sql, new Set([...said, ...[...runs, ...workspaces].map((row) => row.task_id)]));
}

function isLarge({ brief }: { brief: { history: number } }): boolean {
  return brief.history > IMPORT_EVENT_MAX_CHARS;
}
