/** From the address to the last check: what is looked at depends on whose token there is. */
import type { Me } from "../../contract/answers.ts";
import { type Config, requireToken } from "../config.ts";
import { EXIT } from "../failure.ts";
import type { AtScratch, AtServer, Check, Hands } from "./check.ts";
import { OF_BOARD, OF_SCRATCH, OF_SERVER } from "./checks.ts";
import { type Finding, Round } from "./round.ts";
import { deleteScratch, makeScratch, newScratchId } from "./scratch.ts";
import { reachable } from "./server/reachable.ts";
import { judgeMe } from "./server/who.ts";
import { good, skipped } from "./verdict.ts";
import { Within } from "./within.ts";

export interface Subject extends Config {
  /** Only these checks, with what they need; undefined: all. */
  only: string[] | undefined;
  /** Where a webhook is to go, if not to this machine. */
  webhook: string | undefined;
  /** Aborted when whoever waits has had enough. */
  stop: AbortSignal;
  onFinding: (finding: Finding) => void;
}

export interface Report {
  url: string;
  /** Nothing failed. */
  ok: boolean;
  me: Me | null;
  checks: Finding[];
}

export interface Examined {
  report: Report;
  exit: number;
}

/** Long enough to delete a board over a bad line; no signal cuts it short. */
const CLEAN_UP_MS = 30_000;

export async function examine(subject: Subject): Promise<Examined> {
  const { url, stop } = subject;
  const round = new Round(stop, subject.onFinding);
  const server = (signal: AbortSignal): AtServer => ({ url, signal });
  let me: Me | null = null;

  const end = (exit?: number): Examined => {
    round.tellRepeats();
    const ok = !stop.aborted && round.findings.every(({ state }) => state !== "failed");
    const report = { url, ok, me, checks: round.findings };
    return { report, exit: exit ?? (ok ? EXIT.ok : EXIT.failed) };
  };

  await round.make(reachable, server);
  if (round.findings[0]?.state !== "ok") return end(stop.aborted ? EXIT.failed : EXIT.unavailable);
  for (const check of chosen(OF_SERVER, subject)) await round.make(check, server);

  const who: Check<AtServer> = {
    name: "who",
    async run({ signal }) {
      me = await client(subject, round, requireToken(subject), signal).me();
      return judgeMe(me, subject.board, Date.now());
    },
  };
  const refused = await round.make(who, server);
  if (refused !== null) return end(refused.exit);
  if (me === null || stop.aborted) return end();
  const known: Me = me;

  if (known.board === null) await examineScratch(subject, round);
  const id = known.board ?? subject.board;
  if (id !== undefined && (subject.board === undefined || subject.board === id)) {
    const token = requireToken(subject);
    for (const check of chosen(OF_BOARD, subject))
      await round.make(check, (signal) => {
        const board = client(subject, round, token, signal).board(id);
        return { url, signal, token, me: known, id, board };
      });
  }
  return end();
}

async function examineScratch(subject: Subject, round: Round): Promise<void> {
  const { url, webhook } = subject;
  const checks = chosen(OF_SCRATCH, subject);
  if (checks.length === 0) return;
  const operator = (signal: AbortSignal) => client(subject, round, requireToken(subject), signal);
  const id = newScratchId();
  let tokens: Hands<string> | null = null;
  const make: Check<AtServer> = {
    name: "scratch",
    async run({ signal }) {
      tokens = await makeScratch(operator(signal), id);
      return good(`A board to try things on, ${id}, is made.`);
    },
  };
  const remove: Check<AtServer> = {
    name: "gone",
    run: ({ signal }) => deleteScratch(operator(signal), { id, tokens }, signal),
  };
  try {
    await round.make(make, (signal) => ({ url, signal }));
    const at = (signal: AbortSignal, given: Hands<string>): AtScratch => {
      const board = (token: string) => client(subject, round, token, signal).board(id);
      const hands = { lead: board(given.lead), ann: board(given.ann), ben: board(given.ben) };
      return { url, signal, id, tokens: given, ...hands, webhook };
    };
    for (const check of checks)
      if (tokens === null && !round.stopped)
        round.note(check.name, skipped("There is no board to try it on."));
      else await round.make(check, (signal) => at(signal, tokens as Hands<string>));
  } finally {
    await round.make(remove, (signal) => ({ url, signal }), AbortSignal.timeout(CLEAN_UP_MS));
  }
}

const chosen = <At>(checks: Check<At>[], { only }: Subject): Check<At>[] =>
  checks.filter(({ name }) => only === undefined || only.includes(name));

const client = ({ url }: Subject, round: Round, token: string, signal: AbortSignal): Within =>
  new Within(url, token, signal, () => round.repeats++);
