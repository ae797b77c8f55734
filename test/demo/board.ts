/** The demo's board: made, filled, staffed and read, always over the interface. */
import type * as z from "zod";
import type {
  boardSummaryAnswer,
  createdBoardAnswer,
  importAnswer,
  mintedTokenAnswer,
} from "../../src/contract/answers.ts";
import type { BoardEvent } from "../../src/contract/events.ts";
import type { SettingsChange } from "../../src/contract/settings.ts";
import type { Task } from "../../src/contract/task.ts";
import { Api } from "./api.ts";
import type { Scratch } from "./scratch.ts";

/**
 * A killed worker's task comes back within about three seconds. Attempts are not limited: whoever kills on
 * purpose may hit one task again and again, and it should not then wait for a person.
 */
const SETTINGS: SettingsChange = {
  leaseTtlMs: 2_000,
  beatEveryMs: 300,
  sweepEveryMs: 500,
  maxAttempts: 0,
  backoff: { firstMs: 200, stepMs: 400, maxMs: 1_000 },
  // Imports may nest as they like; a task below the limit could not be claimed.
  caps: { maxDepth: 100 },
};

export type Summary = z.infer<typeof boardSummaryAnswer>;
export type ImportReport = z.infer<typeof importAnswer>;

export class DemoBoard {
  readonly url: string;
  readonly #api: Api;

  private constructor(url: string, token: string) {
    this.url = url;
    this.#api = new Api(url, token);
  }

  static async create({ url, operatorToken }: Scratch): Promise<DemoBoard> {
    const operator = new Api(`${url}/api/v1`, operatorToken);
    const { board, token } = await operator.must<z.infer<typeof createdBoardAnswer>>("POST", "/boards", {
      id: "demo",
      name: "Demo",
      settings: SETTINGS,
    });
    return new DemoBoard(`${url}/api/v1/boards/${board.id}`, token);
  }

  importBeads(source: string, reset: boolean): Promise<ImportReport> {
    return this.#api.must("POST", `/import?format=beads&reset=${reset}`, source);
  }

  /** A token for each worker: what they do is told apart, and each has a rate of its own. */
  async mintWorkers(count: number): Promise<string[]> {
    const names = Array.from({ length: count }, (_, index) => `worker-${index + 1}`);
    const minted = names.map((agentId) =>
      this.#api.must<z.infer<typeof mintedTokenAnswer>>("POST", "/tokens", { agentId, role: "worker" }),
    );
    return (await Promise.all(minted)).map(({ token }) => token);
  }

  summary(): Promise<Summary> {
    return this.#api.must("GET", "");
  }

  events(): Promise<BoardEvent[]> {
    return this.#api.all("/events", "events");
  }

  tasks(): Promise<Task[]> {
    return this.#api.all("/tasks", "tasks");
  }
}
