/** What went wrong, as one line with the next step and as an exit code. Nobody is shown a stack. */
import { Refused, Unreachable } from "../client/errors.ts";
import { nextStep } from "./next-steps.ts";

export const EXIT = { ok: 0, failed: 1, usage: 2, auth: 3, conflict: 4, unavailable: 5 } as const;

/** A command cannot go on; it says why, and what to do. */
export class Failure extends Error {
  readonly exit: number;
  readonly next: string | undefined;

  constructor(message: string, next?: string, exit: number = EXIT.failed) {
    super(message);
    this.next = next;
    this.exit = exit;
  }
}

/** The line was wrong. */
export class Misused extends Failure {
  constructor(message: string, next = "--help shows how it is written.") {
    super(message, next, EXIT.usage);
  }
}

/** A failure as it is told: `problem` is what the board said, where it said something. */
export interface Told {
  exit: number;
  message: string;
  next: string | undefined;
  problem?: object;
}

export function tell(error: unknown): Told {
  if (error instanceof Failure) return { exit: error.exit, message: error.message, next: error.next };
  if (error instanceof Refused) return refusal(error);
  if (error instanceof Unreachable) return unreachable(error);
  if (isFileFault(error))
    return { exit: EXIT.failed, message: error.message.replace(/^\w+: /, ""), next: undefined };
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { exit: EXIT.failed, message, next: "This is a fault of edgeboard itself; please report it." };
}

function refusal({ status, message, problem }: Refused): Told {
  const issues = (problem.issues ?? []).map(({ path, message }) =>
    path === "" ? message : `${path}: ${message}`,
  );
  return {
    exit: exitOf(status),
    message: [message, ...issues].join(" "),
    next: nextStep(problem),
    problem,
  };
}

function exitOf(status: number): number {
  if (status === 401 || status === 403) return EXIT.auth;
  // 412 is a conflict with whoever changed the task first.
  if (status === 409 || status === 412) return EXIT.conflict;
  if (status === 400) return EXIT.usage;
  return status === 429 || status === 503 ? EXIT.unavailable : EXIT.failed;
}

function unreachable(error: Unreachable): Told {
  const { cause, outcome } = error;
  const problem = cause instanceof Refused ? cause.problem : undefined;
  const why = problem?.detail ?? networkText(cause);
  const next =
    outcome === "unknown"
      ? "It may have happened all the same: look before you do it again."
      : "Is it running, and is EDGEBOARD_URL (or --url) where it is?";
  return {
    exit: EXIT.unavailable,
    message: `${originOf(error.message)} cannot be reached: ${why}`,
    next,
    ...(problem === undefined ? {} : { problem }),
  };
}

const originOf = (text: string): string => /https?:\/\/[^/\s]+/.exec(text)?.[0] ?? "the server";

/** What fetch knows is in the cause of its error, and there may be several tries in one. */
function networkText(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause;
  const first = inner instanceof AggregateError ? inner.errors[0] : inner;
  return first instanceof Error ? first.message : String(first);
}

function isFileFault(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "syscall" in error && "path" in error;
}
