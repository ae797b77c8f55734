/** Who listens to what. Changes are gathered and told once, so that a frame of events draws everything once. */
export class Topics {
  readonly #heard = new Map<string, Set<() => void>>();
  #changed = new Set<string>();
  #depth = 0;

  on(topic: string, hear: () => void): () => void {
    const listeners = this.#heard.get(topic) ?? new Set();
    this.#heard.set(topic, listeners.add(hear));
    return () => {
      listeners.delete(hear);
      if (listeners.size === 0) this.#heard.delete(topic);
    };
  }

  changed(topic: string): void {
    this.#changed.add(topic);
    if (this.#depth === 0) this.#tell();
  }

  /** What changes meanwhile is told at its end. */
  together(act: () => void): void {
    this.#depth++;
    try {
      act();
    } finally {
      this.#depth--;
      if (this.#depth === 0) this.#tell();
    }
  }

  #tell(): void {
    const changed = this.#changed;
    this.#changed = new Set();
    for (const topic of changed) for (const hear of [...(this.#heard.get(topic) ?? [])]) hear();
  }
}
