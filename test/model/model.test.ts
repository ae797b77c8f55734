/**
 * Random histories run on a small reference model and on the real object, side by side. `MODEL_RUNS` says how
 * many, `MODEL_SEED` which: the same ones each time unless told otherwise. A failure prints the shortest history.
 */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import type { BoardStub } from "../../src/board/stub.ts";
import { call, newBoard, ok } from "../support/api.ts";
import { expectTruth, show } from "../support/cards.ts";
import { follow } from "../support/socket.ts";
import { command, perform, type World } from "./commands.ts";
import { hold } from "./invariants.ts";
import { Model } from "./model.ts";

const TTL = 180_000;
const settings = env as unknown as { MODEL_RUNS?: string; MODEL_SEED?: string };
const RUNS = Number(settings.MODEL_RUNS ?? 60);
const SEED = Number(settings.MODEL_SEED ?? 251_130);

beforeAll(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterAll(() => void vi.useRealTimers());

it(`the board does what the model says, over ${RUNS} histories (seed ${SEED})`, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 60, size: "max" }), async (commands) => {
      const start = Date.now();
      vi.setSystemTime(start);
      const board = await newBoard({
        leaseTtlMs: TTL,
        maxAttempts: 2,
        backoff: { firstMs: 0, stepMs: 0, maxMs: 0 },
      });
      const world: World = {
        board,
        stub: board.stub() as unknown as BoardStub,
        leases: [],
        lastKeyed: null,
        keys: 0,
      };
      const model = new Model({ now: start, ttl: TTL, maxAttempts: 2 });
      const reader = await follow(board, "?cards=true&after=0");
      for (const each of commands) {
        const answers = await perform(world, model, each);
        if (answers !== null) expect(answers[1], JSON.stringify(each)).toBe(answers[0]);
        await hold(world, model);
      }
      const { seq } = ok(await call(board.lead, "GET", board.path));
      await reader.until(
        () => seq === 1 || reader.messages.some((said) => said.type === "events" && said.seq === seq),
      );
      await expectTruth(board, show(reader.messages));
    }),
    { numRuns: RUNS, seed: SEED },
  );
}, 600_000);
