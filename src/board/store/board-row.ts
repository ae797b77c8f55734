/** The board itself: one row. */
import { DEFAULT_SETTINGS, type Settings } from "../../contract/settings.ts";
import { mergeSettings } from "../../rules/settings.ts";
import { type BoardRow, boardRow, columnsOf, insertOne, valuesOf } from "./rows.ts";
import type { Sql } from "./sql.ts";

/** The board as operations see it, settings read. */
export interface Board {
  id: string;
  name: string;
  incarnation: string;
  settings: Settings;
  paused: boolean;
  archived: boolean;
  lastSweepAt: number;
  failedAlarms: number;
  createdAt: number;
  updatedAt: number;
}

export function insertBoard(sql: Sql, row: BoardRow): void {
  sql.run(insertOne("board", boardRow), ...valuesOf(boardRow, row));
}

export function readBoardRow(sql: Sql): BoardRow | null {
  const row = sql.first(`select ${columnsOf(boardRow)} from board limit 1`);
  return row === null ? null : boardRow.parse(row);
}

export function viewBoard(row: BoardRow): Board {
  return {
    id: row.id,
    name: row.name,
    incarnation: row.incarnation,
    // A setting younger than the board has its default.
    settings: mergeSettings(DEFAULT_SETTINGS, JSON.parse(row.settings)),
    paused: row.paused === 1,
    archived: row.archived === 1,
    lastSweepAt: row.last_sweep_at,
    failedAlarms: row.failed_alarms,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function saveBoard(sql: Sql, board: Board): void {
  sql.run(
    "update board set name = ?, settings = ?, paused = ?, archived = ?, updated_at = ?",
    board.name,
    JSON.stringify(board.settings),
    board.paused,
    board.archived,
    board.updatedAt,
  );
}

export function saveLastSweep(sql: Sql, at: number): void {
  sql.run("update board set last_sweep_at = ?", at);
}

export function saveFailedAlarms(sql: Sql, failures: number): void {
  sql.run("update board set failed_alarms = ?", failures);
}
