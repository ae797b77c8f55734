/** What people call a task that an event names by its id. Each is asked for once. */
import type { Board } from "../client/board.ts";
import type { BoardEvent } from "../contract/events.ts";
import { named } from "./task-view.ts";

const KEPT = 1_000;

export class TaskNames {
  readonly #board: Board;
  readonly #names = new Map<string, string>();

  constructor(board: Board) {
    this.#board = board;
  }

  of = (taskId: string): string => this.#names.get(taskId) ?? taskId;

  async learn(events: BoardEvent[]): Promise<void> {
    for (const { taskId, data } of events) {
      const row = data["task"] as { number?: number; title?: string } | undefined;
      if (taskId === null || this.#names.has(taskId)) continue;
      if (this.#names.size >= KEPT) this.#names.clear();
      const { number, title } = row ?? {};
      if (number !== undefined && title !== undefined) this.#names.set(taskId, named({ number, title }));
      else await this.#ask(taskId);
    }
  }

  async #ask(taskId: string): Promise<void> {
    try {
      const { task } = await this.#board.tasks.get(taskId, {}, { budgetMs: 0 });
      this.#names.set(taskId, named(task));
    } catch {
      // It may be dropped by now; its id says enough.
      this.#names.set(taskId, taskId);
    }
  }
}
