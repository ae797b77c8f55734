/** Who used a privilege, when, on what, and why. Never trimmed. */
import type { AuditEntry } from "../../contract/events.ts";
import { type AuditRow, auditRow, columnsOf, parseRows } from "./rows.ts";
import type { Sql } from "./sql.ts";

const COLUMNS = columnsOf(auditRow);

export function insertAudit(sql: Sql, row: Omit<AuditRow, "number">): void {
  sql.run(
    `insert into audit (at, actor_id, kind, task_id, prior_status, reason, data, tenant_id)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    row.at,
    row.actor_id,
    row.kind,
    row.task_id,
    row.prior_status,
    row.reason,
    row.data,
    row.tenant_id,
  );
}

export interface AuditFilter {
  actor: string | null;
  kind: string | null;
}

/** Newest first, before a row's number. */
export function listAudit(sql: Sql, filter: AuditFilter, before: number, limit: number): AuditRow[] {
  return parseRows(
    auditRow,
    sql.all(
      `select ${COLUMNS} from audit
       where number < ?1 and (?2 is null or actor_id = ?2) and (?3 is null or kind = ?3)
       order by number desc limit ?4`,
      before,
      filter.actor,
      filter.kind,
      limit,
    ),
  );
}

export function lastNumber(sql: Sql): number {
  return sql.number("select coalesce(max(number), 0) from audit");
}

/** Oldest first, after one number and up to another. */
export function readBetween(sql: Sql, after: number, upTo: number, limit: number): AuditRow[] {
  return parseRows(
    auditRow,
    sql.all(
      `select ${COLUMNS} from audit where number > ? and number <= ? order by number limit ?`,
      after,
      upTo,
      limit,
    ),
  );
}

export function viewAudit(row: AuditRow): AuditEntry {
  return {
    id: row.number,
    at: row.at,
    actorId: row.actor_id,
    kind: row.kind,
    taskId: row.task_id,
    priorStatus: row.prior_status,
    reason: row.reason,
    data: JSON.parse(row.data),
  };
}
