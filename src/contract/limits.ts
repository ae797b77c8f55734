/**
 * Every number the board promises, in one place. Times are milliseconds unless the name says otherwise.
 * What a team would want to turn is a board setting; its default is here too.
 */

/** A lease lives this long without a beat. Six missed beats at the default pace. */
export const LEASE_TTL_MS = 180_000;
export const LEASE_TTL_MIN_MS = 1_000;
export const BEAT_EVERY_MS = 30_000;
export const BEAT_EVERY_MIN_MS = 200;
export const SWEEP_EVERY_MS = 60_000;
export const SWEEP_EVERY_MIN_MS = 500;
/** A lease has to outlive three beats, so that one lost request never costs a worker its task. */
export const BEATS_PER_TTL = 3;
/** TTL + sweep interval: the longest a dead worker may keep its task. */
export const RECOVERY_BOUND_MS = 3_600_000;

/** Attempts in a row that may fail or time out before the task waits for a person. */
export const MAX_ATTEMPTS = 3;
export const BACKOFF_FIRST_MS = 5_000;
export const BACKOFF_STEP_MS = 30_000;
export const BACKOFF_MAX_MS = 900_000;

export const MAX_CHILDREN = 24;
export const MAX_DEPTH = 2;
export const MAX_ROOT_CREATES = 30;
export const ROOT_WINDOW_MS = 300_000;
export const MAX_DEPENDENTS = 10_000;
/** A chain of parents longer than this is corrupt data, not a plan. */
export const MAX_ANCESTORS = 1_000;

/** Events kept before the oldest are trimmed. */
export const EVENT_RETENTION = 100_000;

/** One transaction of the sweep closes at most this many leases. */
export const SWEEP_BATCH = 500;
export const SWEEP_AGAIN_MS = 100;
export const PROMOTE_BATCH = 500;
export const ALARM_RETRY_MS = 2_000;
export const ALARM_RETRY_MAX_MS = 60_000;
/** An alarm this late was lost by the platform; the next request sets it again. */
export const ALARM_OVERDUE_MS = 5_000;

/** The server's clock may step back this far before a request believes it. */
export const CLOCK_STEP_BACK_MS = 60_000;

export const IDEMPOTENCY_TTL_MS = 86_400_000;
export const IDEMPOTENCY_KEY_MAX = 128;
export const IDEMPOTENCY_TRIM_BATCH = 1_000;
/** A board left half-made or half-deleted for this long is settled by the next listing. */
export const DIRECTORY_SETTLE_MS = 60_000;
/** A token's last use is written at most this often. */
export const TOKEN_TOUCH_MS = 300_000;

export const BODY_MAX_BYTES = 262_144;
export const PLAN_MAX_BYTES = 4_194_304;
export const IMPORT_MAX_BYTES = 8_388_608;
/** One JSON parameter handed to SQL; the platform refuses strings over 2 MB. */
export const SQL_JSON_MAX_CHARS = 250_000;

export const LIST_DEFAULT = 50;
export const LIST_MAX = 200;
export const PLAN_MAX_TASKS = 1_000;
export const PLAN_MAX_EDGES = 5_000;
export const IMPORT_MAX_TASKS = 20_000;
export const CLAIM_MAX = 10;
/** A filtered claim-next looks at this many ready tasks before it gives up and says so. */
export const CLAIM_SCAN_MAX = 1_000;
export const HEARTBEAT_BATCH_MAX = 100;
export const UNBLOCKED_SHOWN = 100;
export const BLOCKERS_SHOWN = 100;
export const INCLUDED_MAX = 200;
export const RELATIVES_MAX = 1_000;
/** A filtered read of the event log looks at this many rows, then hands back a cursor. */
export const EVENT_SCAN_MAX = 5_000;

export const WAIT_MAX_MS = 25_000;
export const WAITERS_MAX = 200;
/** What an empty claim-next asks its caller to wait, jittered up to twice this. */
export const RETRY_AFTER_MS = 1_000;

export const TITLE_MAX = 500;
export const TEXT_MAX = 20_000;
export const LABEL_MAX = 64;
export const LABELS_MAX = 20;
export const NAME_MAX = 200;
export const AGENT_ID_MAX = 128;
export const REFERENCE_MAX = 500;
export const PRIORITY_MAX = 9;
/** 2100-01-01: a later time is a mistake of units. */
export const TIME_MAX_MS = 4_102_444_800_000;
export const TOKEN_LIFETIME_MAX_S = 315_360_000;
export const OPERATOR_TOKEN_MIN = 32;
