/** The processes of a soak: started, heard, killed and replaced, sent home in the end. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { CrewPlan } from "./crew.ts";
import type { Told } from "./soak-check.ts";

const GOES_HOME_WITHIN_MS = 30_000;

export class Crews {
  readonly told: Told[] = [];
  /** Workers that died with what they held. */
  killed = 0;
  readonly #plans: CrewPlan[];
  readonly #processes: ChildProcess[];

  /** A process for each plan. */
  constructor(plans: CrewPlan[]) {
    this.#plans = plans;
    this.#processes = plans.map((plan) => this.#hire(plan));
  }

  /** One of them is killed, and another comes in its place at once. */
  replace(place: number): void {
    const plan = this.#plans[place];
    if (plan === undefined) throw new Error(`there is no crew ${place}`);
    this.#processes[place]?.kill("SIGKILL");
    this.#processes[place] = this.#hire(plan);
    this.killed += plan.tokens.length;
  }

  /** They finish what they have in hand. */
  async sendHome(): Promise<void> {
    const leaving = this.#processes.map(async (process) => {
      const gone = once(process, "exit");
      process.send("home");
      const force = setTimeout(() => process.kill("SIGKILL"), GOES_HOME_WITHIN_MS);
      await gone;
      clearTimeout(force);
    });
    await Promise.all(leaving);
  }

  kill(): void {
    for (const process of this.#processes) process.kill("SIGKILL");
  }

  #hire(plan: CrewPlan): ChildProcess {
    const process = fork(join(import.meta.dirname, "crew.ts"), [JSON.stringify(plan)]);
    process.on("message", (word: Told) => void this.told.push(word));
    return process;
  }
}
