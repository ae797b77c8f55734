import ddl from "../../../migrations-free-schema/board.sql";
import { accept, type Result, refuse } from "../../contract/result.ts";
import type { SettingsChange } from "../../contract/settings.ts";
import { audit, type Context } from "../context.ts";
import { insertBoard, readBoardRow } from "../store/board-row.ts";
import { installCounts } from "../store/counts.ts";
import { newLineage } from "../store/lineage.ts";
import { fingerprint, install } from "../store/schema.ts";
import type { Sql } from "../store/sql.ts";
import { installUsage } from "../store/usage.ts";
import { type BoardView, newSettings, viewBoard } from "./board.ts";
import { firstToken, type Minted, mintToken } from "./tokens.ts";

export interface CreateBoard {
  id: string;
  name: string;
  settings: SettingsChange;
  /** The same id again answers what the first call answered. */
  operationId: string;
}

export interface CreatedBoard {
  board: BoardView;
  /** The lead token to sign for whoever made the board. */
  minted: Minted;
}

/** Installs the schema and the board's one row; `contextOf` gives a context once they stand. */
export function createBoard(
  sql: Sql,
  input: CreateBoard,
  made: { incarnation: string; now: number },
  contextOf: () => Context,
): Result<CreatedBoard> {
  const settings = newSettings(input.settings);
  if (!settings.ok) return settings;
  install(sql, ddl);
  installCounts(sql);
  installUsage(sql);
  insertBoard(sql, {
    id: input.id,
    name: input.name,
    incarnation: made.incarnation,
    operation_id: input.operationId,
    settings: JSON.stringify(settings.value),
    paused: 0,
    archived: 0,
    last_sweep_at: 0,
    failed_alarms: 0,
    schema_fingerprint: fingerprint(ddl),
    schema_before: newLineage("board"),
    created_at: made.now,
    updated_at: made.now,
    tenant_id: null,
  });
  const ctx = contextOf();
  audit(ctx, "board_created", { data: { name: input.name } });
  const minted = mintToken(ctx, { agentId: "lead", role: "lead" });
  return minted.ok ? accept({ board: viewBoard(ctx.board), minted: minted.value }) : minted;
}

/** The same creation again, or somebody else's board. */
export function createdBefore(ctx: Context, input: CreateBoard): Result<CreatedBoard> {
  if (!isMadeBy(ctx.sql, input.operationId)) return refuse("board_exists", "A board of this id exists.");
  return accept({ board: viewBoard(ctx.board), minted: firstToken(ctx) });
}

export function isMadeBy(sql: Sql, operationId: string): boolean {
  return readBoardRow(sql)?.operation_id === operationId;
}
