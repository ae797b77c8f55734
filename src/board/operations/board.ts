/** The board itself: made once, told about, changed. */
import { accept, type Result, refuse } from "../../contract/result.ts";
import { DEFAULT_SETTINGS, type Settings, type SettingsChange } from "../../contract/settings.ts";
import { mergeSettings, settingsFaults } from "../../rules/settings.ts";
import { audit, type Context } from "../context.ts";
import { type Board, saveBoard } from "../store/board-row.ts";
import { readCounts, type StatusCounts } from "../store/counts.ts";
import { lastSeq } from "../store/events.ts";
import { tellBoardBudget } from "./spending.ts";

export interface BoardView {
  id: string;
  name: string;
  paused: boolean;
  archived: boolean;
  settings: Settings;
  createdAt: number;
  updatedAt: number;
}

export interface BoardSummary {
  board: BoardView;
  /** Not-dropped tasks by status. */
  counts: StatusCounts;
  seq: number;
}

export function describeBoard(ctx: Context): Result<BoardSummary> {
  return accept({ board: viewBoard(ctx.board), counts: readCounts(ctx.sql), seq: lastSeq(ctx.sql) });
}

export function viewBoard(board: Board): BoardView {
  return {
    id: board.id,
    name: board.name,
    paused: board.paused,
    archived: board.archived,
    settings: board.settings,
    createdAt: board.createdAt,
    updatedAt: board.updatedAt,
  };
}

/** The defaults with these changes, or every fault they have together. */
export function checkSettings(current: Settings, change: SettingsChange): Result<Settings> {
  const settings = mergeSettings(current, change);
  const faults = settingsFaults(settings);
  return faults.length === 0
    ? accept(settings)
    : refuse("invalid_settings", "These settings do not go together.", {
        issues: faults.map(({ path, message }) => ({ path: `settings.${path}`, message })),
      });
}

export function newSettings(change: SettingsChange): Result<Settings> {
  return checkSettings(DEFAULT_SETTINGS, change);
}

export interface ChangeBoard {
  name?: string;
  settings?: SettingsChange;
  paused?: boolean;
  archived?: boolean;
}

export function changeBoard(ctx: Context, input: ChangeBoard): Result<{ board: BoardView }> {
  const settings = checkSettings(ctx.board.settings, input.settings ?? {});
  if (!settings.ok) return settings;
  const after: Board = {
    ...ctx.board,
    name: input.name ?? ctx.board.name,
    settings: settings.value,
    paused: input.paused ?? ctx.board.paused,
    archived: input.archived ?? ctx.board.archived,
    updatedAt: ctx.now,
  };
  const changed = (["name", "settings", "paused", "archived"] as const).filter(
    (field) => JSON.stringify(after[field]) !== JSON.stringify(ctx.board[field]),
  );
  if (changed.length === 0) return accept({ board: viewBoard(ctx.board) });
  saveBoard(ctx.sql, after);
  const data = Object.fromEntries(changed.map((field) => [field, after[field]]));
  audit(ctx, "board_changed", { data });
  ctx.log.append({ seq: ctx.log.reserve(), kind: "board_changed", data });
  tellBoardBudget(ctx, ctx.board.settings.budgetUsd, after.settings.budgetUsd);
  // A shorter lease may be due before the alarm that is armed; the handler looks at everything.
  ctx.due(ctx.now);
  return accept({ board: viewBoard(after) });
}
