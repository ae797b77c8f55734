/** How the page stands with its board; the badge says it. */
import type { LiveState } from "../../client/live.ts";

export class Connection {
  state: LiveState = "connecting";
  /** When it was told the board anew because it had been away for too long; null: never. */
  rejoinedAt: number | null = null;
  /** Since when it has not been live. */
  since = Date.now();
  readonly #heard = new Set<() => void>();

  become(state: LiveState): void {
    if (state === this.state) return;
    if (this.state === "live") this.since = Date.now();
    this.state = state;
    this.#tell();
  }

  rejoined(): void {
    this.rejoinedAt = Date.now();
    this.#tell();
  }

  readonly onChange = (hear: () => void): (() => void) => {
    this.#heard.add(hear);
    return () => this.#heard.delete(hear);
  };

  #tell(): void {
    for (const hear of this.#heard) hear();
  }
}
