/**
 * The only door to SQLite. Every cursor is drained at once: a writing cursor left half read breaks the whole
 * implicit transaction (cloudflare/workerd#959). Booleans become 0 and 1, since the platform would bind the
 * text 'true'. What each statement read and wrote is counted.
 */
export type Binding = string | number | boolean | null;

export type SqlRow = Record<string, SqlStorageValue>;

export interface StatementCost {
  query: string;
  rowsRead: number;
  rowsWritten: number;
}

export class Sql {
  rowsRead = 0;
  rowsWritten = 0;
  readonly #storage: SqlStorage;
  readonly #observe: ((cost: StatementCost) => void) | undefined;

  constructor(storage: SqlStorage, observe?: (cost: StatementCost) => void) {
    this.#storage = storage;
    this.#observe = observe;
  }

  all(query: string, ...bindings: Binding[]): SqlRow[] {
    const cursor = this.#storage.exec(
      query,
      ...bindings.map((value) => (typeof value === "boolean" ? Number(value) : value)),
    );
    const rows = cursor.toArray();
    this.rowsRead += cursor.rowsRead;
    this.rowsWritten += cursor.rowsWritten;
    this.#observe?.({ query, rowsRead: cursor.rowsRead, rowsWritten: cursor.rowsWritten });
    return rows;
  }

  first(query: string, ...bindings: Binding[]): SqlRow | null {
    return this.all(query, ...bindings)[0] ?? null;
  }

  run(query: string, ...bindings: Binding[]): void {
    this.all(query, ...bindings);
  }

  /** The one number a `count` or `max` answers; 0 where there is none. */
  number(query: string, ...bindings: Binding[]): number {
    const row = this.first(query, ...bindings);
    const value = row === null ? null : Object.values(row)[0];
    return typeof value === "number" ? value : 0;
  }
}
