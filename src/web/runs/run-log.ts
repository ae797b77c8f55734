/**
 * The runs of a board as far back as they were read, kept up by events. A run is the same object until something about
 * it changes, so that nothing else is drawn anew.
 */
import type { Board } from "../../client/board.ts";
import type { BoardEvent } from "../../contract/events.ts";
import { LIST_MAX } from "../../contract/limits.ts";
import type { Execution } from "../../contract/task.ts";
import { same } from "../room/same.ts";
import { runAfter } from "./patches.ts";

/** What events do not tell of a run is read this long after its end. */
const SETTLE_MS = 1_000;
/** Runs that ended long after they began are read one by one, and no more than this at a time. */
const ONE_BY_ONE_MAX = 20;

export interface RunsRead {
  /** Newest first. */
  runs: readonly Execution[];
  state: "loading" | "ready" | "failed";
  error: unknown;
  /** Whether there are older ones on the server. */
  hasMore: boolean;
}

export class RunLog {
  readonly #board: Board;
  readonly #runs = new Map<string, Execution>();
  readonly #heard = new Set<() => void>();
  readonly #over = new AbortController();
  /** Runs of which more is to be read than the events told. */
  readonly #unsettled = new Set<string>();
  #settling: ReturnType<typeof setTimeout> | undefined;
  #cursor: string | null = null;
  #reading = false;
  read: RunsRead = { runs: [], state: "loading", error: null, hasMore: true };

  constructor(board: Board) {
    this.#board = board;
  }

  readonly onChange = (hear: () => void): (() => void) => {
    this.#heard.add(hear);
    return () => this.#heard.delete(hear);
  };

  get(id: string): Execution | undefined {
    return this.#runs.get(id);
  }

  /** The next page into the past; at first the newest one. */
  async readOlder(): Promise<void> {
    if (this.#reading || !this.read.hasMore) return;
    this.#reading = true;
    try {
      const page = await this.#page(this.#cursor);
      this.#cursor = page.nextCursor;
      this.#merge(page.executions, { state: "ready", error: null, hasMore: page.nextCursor !== null });
    } catch (error) {
      if (!this.#over.signal.aborted) this.#tell({ state: "failed", error });
    } finally {
      this.#reading = false;
    }
  }

  hear(events: readonly BoardEvent[]): void {
    const changed: Execution[] = [];
    const soFar = new Map<string, Execution>();
    for (const event of events) {
      const run = runAfter(event, (id) => soFar.get(id) ?? this.#runs.get(id));
      if (run === null) continue;
      soFar.set(run.id, run);
      changed.push(run);
      if (run.endedAt !== null) this.#unsettled.add(run.id);
    }
    this.#merge(changed);
    if (this.#unsettled.size > 0 && this.#settling === undefined)
      this.#settling = setTimeout(() => void this.settle(), SETTLE_MS);
  }

  /** Reads what was missed: the newest runs, and those that were still running as far as it was known. */
  async settle(everythingRunning = false): Promise<void> {
    clearTimeout(this.#settling);
    this.#settling = undefined;
    if (everythingRunning)
      for (const run of this.#runs.values()) if (run.endedAt === null) this.#unsettled.add(run.id);
    const wanted = [...this.#unsettled];
    this.#unsettled.clear();
    try {
      const newest = await this.#page(null);
      this.#merge(newest.executions);
      const there = new Set(newest.executions.map(({ id }) => id));
      const missing = wanted.filter((id) => !there.has(id)).slice(0, ONE_BY_ONE_MAX);
      for (const taskId of new Set(missing.map((id) => this.#runs.get(id)?.taskId))) {
        if (taskId === undefined) continue;
        const { signal } = this.#over;
        const { executions } = await this.#board.tasks.executions(taskId, { limit: LIST_MAX }, { signal });
        this.#merge(executions.filter(({ id }) => this.#runs.has(id)));
      }
    } catch {
      // The runs stand as the events told them; the next end has this tried again.
    }
  }

  end(): void {
    this.#over.abort();
    clearTimeout(this.#settling);
  }

  #page(cursor: string | null) {
    const query = { limit: LIST_MAX, ...(cursor === null ? {} : { cursor }) };
    return this.#board.runs(query, { signal: this.#over.signal });
  }

  #merge(runs: readonly Execution[], more: Partial<RunsRead> = {}): void {
    let changed = false;
    for (const run of runs) {
      const known = this.#runs.get(run.id);
      // An answer may be older than an event: what has ended never runs again.
      const outdated = known !== undefined && known.endedAt !== null && run.endedAt === null;
      if (outdated || same(known, run)) continue;
      this.#runs.set(run.id, run);
      changed = true;
    }
    if (!changed && Object.keys(more).length === 0) return;
    this.#tell({ ...(changed ? { runs: [...this.#runs.values()].sort(newestFirst) } : {}), ...more });
  }

  #tell(read: Partial<RunsRead>): void {
    this.read = { ...this.read, ...read };
    for (const hear of this.#heard) hear();
  }
}

function newestFirst(a: Execution, b: Execution): number {
  return b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1);
}
