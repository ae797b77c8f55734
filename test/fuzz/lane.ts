/** One stream of requests on one board after the other, each answer held against the properties. */
import type { Interface } from "./interface.ts";
import { faultsOf, type Guarded } from "./properties.ts";
import type { Random } from "./random.ts";
import type { Report } from "./report.ts";
import { type Draft, draft, write } from "./requests.ts";
import { type Deployment, heal, learn, must, newScene, type Scene } from "./scene.ts";
import { difference, movedByItself, type Standing, standingOf } from "./standing.ts";
import { type Answer, type Sent, send } from "./wire.ts";
import { spoil } from "./wrongs.ts";

/** Requests on one board before it makes room for a new one: it grows, and is read whole again and again. */
const PER_BOARD = 400;
/** Refused requests that are judged together. */
const BATCH = 25;
const WAIT_MS = 2_000;

export interface Run {
  deployment: Deployment;
  api: Interface;
  random: Random;
  report: Report;
  /** The stranger's board first, then those of all lanes as they come. */
  guarded: Guarded[];
  stranger: string;
  tally: Tally;
  /** Takes one request off what is still to be sent; false: it is enough. */
  more: () => boolean;
}

export interface Tally {
  requests: number;
  answers: Map<string, number>;
  /** Refusals of which it was seen that they changed nothing. */
  judged: number;
}

interface Tried {
  draft: Draft;
  sent: Sent;
  answer: Answer;
}

export async function runLane(run: Run): Promise<void> {
  for (let open = true; open; ) {
    const scene = await newScene(run.deployment, run.stranger);
    run.guarded.push({ board: scene.board, canary: scene.canary });
    open = await new Visit(run, scene).toTheEnd();
    await must(scene, "DELETE", `/boards/${scene.board}?confirm=${scene.board}`);
  }
}

/** The time a lane spends on one board. */
class Visit {
  readonly #run: Run;
  readonly #scene: Scene;
  /** How the board stood before the suspects. */
  #before: Standing | null = null;
  /** Refused, or only reading: they should have changed nothing. */
  #suspects: Tried[] = [];

  constructor(run: Run, scene: Scene) {
    this.#run = run;
    this.#scene = scene;
  }

  /** False: there is nothing more to be sent at all. */
  async toTheEnd(): Promise<boolean> {
    for (let count = 0; count < PER_BOARD; count++) {
      if (!this.#run.more()) {
        await this.#judge();
        return false;
      }
      await this.#one();
    }
    await this.#judge();
    return true;
  }

  async #one(): Promise<void> {
    const { random, api } = this.#run;
    const made = draft(random, api, this.#scene, random.pick(api.operations));
    if (random.chance(0.65)) spoil(random, made);
    // What will change the board makes it hard to see what else did.
    if (mayWrite(made) || this.#suspects.length >= BATCH) await this.#judge();
    this.#before ??= await standingOf(this.#scene);
    const tried = await this.#try(made);
    if (tried === null) return;
    if (changesNothing(tried)) this.#suspects.push(tried);
    else this.#forget();
    await this.#learn(tried);
  }

  /** Sends it and holds the answer against the properties; null: it was not answered at all. */
  async #try(made: Draft): Promise<Tried | null> {
    const { deployment, api, report, guarded, tally } = this.#run;
    const sent = write(this.#scene, made);
    const answer = await send(deployment.url, sent).catch((error: Error) => error);
    if (answer instanceof Error) {
      report.add(`no answer: ${answer.message}`, { url: deployment.url, who: nameOf(made), sent });
      this.#forget();
      return null;
    }
    if (answer.status === 429) {
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
      return this.#try(made);
    }
    tally.requests++;
    const what = answer.status < 400 ? String(answer.status) : `${answer.status} ${answer.json?.code ?? ""}`;
    tally.answers.set(what, (tally.answers.get(what) ?? 0) + 1);
    const hit = api.hitBy(sent.method, sent.target);
    const about = { url: deployment.url, who: nameOf(made), sent, answer };
    for (const fault of faultsOf({ draft: made, hit, sent, answer }, this.#scene, api, guarded))
      report.add(`the answer ${fault}`, about);
    return { draft: made, sent, answer };
  }

  async #learn({ draft: { caller, operation }, answer }: Tried): Promise<void> {
    if (answer.status < 300) learn(this.#scene, caller, answer.json);
    const turned = operation.id === "changeBoard" && answer.status === 200;
    if (!turned && !["token_revoked", "board_archived", "board_paused"].includes(answer.json?.code)) return;
    await this.#judge();
    await heal(this.#scene);
    this.#forget();
  }

  /** The board has moved for a good reason; those before can no longer be judged. */
  #forget(): void {
    this.#before = null;
    this.#suspects = [];
  }

  /** Sees that the suspects have changed nothing. */
  async #judge(): Promise<void> {
    const before = this.#before;
    if (before === null || this.#suspects.length === 0) return;
    const suspects = this.#suspects;
    const after = await standingOf(this.#scene);
    this.#before = after;
    this.#suspects = [];
    if (after.text === before.text || (await movedByItself(this.#scene, before, after))) {
      this.#run.tally.judged += suspects.length;
      return;
    }
    const found = suspects.length === 1 ? suspects[0] : await this.#again(suspects);
    const { draft: made, sent, answer } = found ?? (suspects[0] as Tried);
    const unsure = found === undefined ? ` (one of ${suspects.length}, perhaps this)` : "";
    this.#run.report.add(`refused or reading, it changed the board${unsure}: ${difference(before, after)}`, {
      ...{ url: this.#run.deployment.url, who: nameOf(made), sent, answer },
    });
  }

  /** Sends each once more by itself, to see which of them it is. */
  async #again(suspects: readonly Tried[]): Promise<Tried | undefined> {
    for (const suspect of suspects) {
      const before = await standingOf(this.#scene);
      const answer = await send(this.#run.deployment.url, suspect.sent);
      const after = await standingOf(this.#scene);
      this.#before = after;
      if (after.text !== before.text && changesNothing({ ...suspect, answer })) return suspect;
    }
    return undefined;
  }
}

const nameOf = ({ operation, caller }: Draft): string => `${operation.id} as ${caller}`;

const mayWrite = ({ operation, method, spoilt, caller }: Draft): boolean =>
  !spoilt && method === operation.method && method !== "GET" && caller !== "none" && caller !== "stranger";

const changesNothing = ({ sent, answer }: Tried): boolean =>
  answer.status >= 400 || sent.method === "GET" || sent.method === "HEAD";
