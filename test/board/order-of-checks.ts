/**
 * The order of checks on a write, said once more and on its own: nothing of the product is asked. The first rule
 * that applies is the answer; a write no rule speaks of is accepted.
 */
export const STATUSES = [
  "backlog",
  "todo",
  "in_progress",
  "in_review",
  "blocked",
  "done",
  "cancelled",
] as const;
export type Status = (typeof STATUSES)[number];

const MOVES: Record<Status, string> = {
  backlog: "todo blocked cancelled",
  todo: "in_progress blocked backlog cancelled",
  in_progress: "in_review done blocked todo cancelled",
  in_review: "done in_progress blocked cancelled",
  blocked: "todo in_progress backlog cancelled",
  done: "",
  cancelled: "",
};

/** A task as a write finds it. */
export interface Standing {
  from: Status;
  /** `by hand`: a lead took the card without a lease. `expired`: run out, and not swept yet. */
  lease: "never granted" | "ended" | "live" | "expired" | "by hand";
  /** How the run ended, where it has; a completion, with what its holder said. */
  ending?: { reason: string; word?: string };
  /** The verdict on it is a failure. */
  red: boolean;
  /** It waits for a task that is not done. */
  waits: boolean;
}

/** Workers but for what they are called. */
export const WHO = [
  "holder",
  "holder, a verifier",
  "stranger",
  "creator",
  "verifier",
  "lead",
  "operator",
] as const;
export type Who = (typeof WHO)[number];

export interface Write {
  by: Who;
  verb: "patch" | "complete" | "release";
  sends: "no token" | "its token" | "a guess";
  /** The status asked for. */
  to: Status | null;
  /** With a completion. */
  outcome?: "succeeded" | "failed";
  /** Other fields; `teamId` is a lead's. */
  fields: readonly string[];
  stale: boolean;
  override: boolean;
  displace: boolean;
}

type Case = Standing & Write;

const leads = ({ by }: Case) => by === "lead" || by === "operator";
const runs = ({ lease }: Case) => lease === "live" || lease === "expired";
const granted = ({ by }: Case) => by === "holder" || by === "holder, a verifier";
const holds = (c: Case) => runs(c) && c.sends === "its token" && (granted(c) || leads(c));
const moves = ({ to, from }: Case) => to !== null && to !== from;
const approves = ({ to, from }: Case) => from === "in_review" && to === "done";
/** Whoever was given the lease built it; a lead who took the card by hand did. */
const built = (c: Case) => granted(c) && c.lease !== "never granted" && c.lease !== "by hand";
const held = (c: Case) => runs(c) || (c.lease === "by hand" && c.from === "in_progress");

const judges = ({ by }: Case) => by === "verifier" || by === "holder, a verifier";
const mayMove = (c: Case) => holds(c) || (judges(c) && approves(c));
const mayEdit = (c: Case) =>
  (holds(c) || (c.by === "creator" && !held(c))) && c.fields.every((field) => field === "title");
/** What a lead may do to a leased task without its token. */
const overHead = (c: Case) => leads(c) && (!moves(c) || c.to === "cancelled" || c.displace);
const repeats = (c: Case) =>
  c.verb !== "patch" &&
  c.lease === "ended" &&
  c.sends === "its token" &&
  (granted(c) || leads(c)) &&
  (c.verb === "release" ? c.ending?.reason === "released" : c.ending?.word !== undefined);

const RULES: readonly [answer: string, applies: (c: Case) => boolean][] = [
  ["override_forbidden", (c) => c.override && !leads(c)],
  ["nothing to do", (c) => c.verb === "patch" && !moves(c) && c.fields.length === 0],
  ["claim_required", (c) => moves(c) && c.to === "in_progress" && !leads(c)],
  ["lease_required", (c) => c.sends === "no token" && (c.verb !== "patch" || (runs(c) && !overHead(c)))],
  ["already_closed", (c) => repeats(c) && c.verb === "complete" && c.ending?.word !== `${c.outcome} ${c.to}`],
  ["nothing to do", repeats],
  ["lease_lost", (c) => c.sends === "a guess" || (c.sends === "its token" && !runs(c))],
  ["identity_mismatch", (c) => c.sends === "its token" && !granted(c) && !leads(c)],
  ["self_review", (c) => approves(c) && !leads(c) && (built(c) || holds(c))],
  ["forbidden", (c) => c.verb === "patch" && !leads(c) && moves(c) && !mayMove(c)],
  ["forbidden", (c) => !leads(c) && c.fields.length > 0 && !mayEdit(c)],
  ["version_mismatch", (c) => c.stale],
  ["illegal_transition", (c) => moves(c) && !MOVES[c.from].split(" ").includes(c.to as string)],
  ["not_ready", (c) => c.waits && !c.override && moves(c) && (c.to === "done" || c.to === "in_progress")],
  ["verification_required", (c) => c.red && !c.override && moves(c) && c.to === "done"],
];

/** Everything a write may be answered. */
export const ANSWERS = new Set([...RULES.map(([answer]) => answer), "accepted"]);

/** The code of the refusal; `nothing to do` and `accepted` are 200, and only the latter changes anything. */
export function answerTo(standing: Standing, write: Write): string {
  const c = { ...standing, ...write };
  return RULES.find(([, applies]) => applies(c))?.[0] ?? "accepted";
}

/** Why a token that is not current holds nothing. */
export function lostBecause(standing: Standing, write: Write): string {
  return write.sends === "a guess" ? "unknown" : (standing.ending?.reason ?? "none");
}
