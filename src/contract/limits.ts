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
/** The log may run over that by this share, and by this many events, before the alarm trims it. */
export const RETENTION_SLACK = 0.1;
export const RETENTION_SLACK_MIN = 100;
export const RETENTION_BATCH = 1_000;

/** The long texts of a run are kept this long after its end. */
export const TAIL_RETENTION_MS = 2_592_000_000;
export const TAIL_RETENTION_MIN_MS = 86_400_000;
export const TAIL_RETENTION_MAX_MS = 315_360_000_000;
/** They go within this time after it, so that one alarm takes the runs of a day. */
export const TAIL_SLACK_MS = 86_400_000;
export const TAIL_TRIM_BATCH = 500;
/** The row of a token is kept this long after it was good for the last time, and goes within a day. */
export const TOKEN_KEPT_MS = 7_776_000_000;
export const TOKEN_SLACK_MS = 86_400_000;
export const TOKEN_TRIM_BATCH = 500;

/** Money is summed in whole micro-dollars: exact up to nine billion dollars. */
export const MICROS_PER_USD = 1_000_000;
/** No sum is kept above this; beyond it numbers would not be whole. */
export const SUM_MAX = Number.MAX_SAFE_INTEGER;
/** What is told of a budget, by the percentage that is spent. */
export const BUDGET_MARKS = { budget_warning: 80, budget_stopped: 100 } as const;

export const DAY_MS = 86_400_000;
/** Days that statistics look back. */
export const STATS_DAYS = 30;
export const STATS_DAYS_MAX = 366;
/** Agents, and runtimes, that statistics tell apart, those with the most runs first. */
export const STATS_GROUPS_MAX = 200;
/** Counters (one for each day, agent and runtime) that one call adds up; beyond it the answer says so. */
export const STATS_ROWS_MAX = 50_000;
/** Held tasks named on one page of agents; the count beside them is whole. */
export const HELD_SHOWN = 1_000;

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
/** An Edgeboard export is read line by line, never whole, so it may bring a large board. */
export const IMPORT_MAX_BOARD_TASKS = 100_000;
/** A longer line holds nothing a board ever wrote. As JSON for SQL it stays under the platform's 2 MB. */
export const IMPORT_LINE_MAX_CHARS = 600_000;
/** Faults told of one source; more of them say nothing new. */
export const IMPORT_ISSUES_MAX = 200;
/** A task's history up to this size travels in its one event; a row of SQLite is 2 MB at most. */
export const IMPORT_EVENT_MAX_CHARS = 200_000;
/** An import in parts: forgotten after this time, and bounded in all its measures. */
export const IMPORT_TTL_MS = 86_400_000;
export const IMPORTS_OPEN_MAX = 16;
export const IMPORT_PARTS_MAX = 1_000;
export const IMPORT_TOTAL_MAX_BYTES = 134_217_728;
/** Sources that have to be in memory whole, of which the object has 128 MB for everything. */
export const IMPORT_WHOLE_MAX_BYTES = 16_777_216;
export const IMPORT_TRIM_BATCH = 4;
/** An export up to this size is one consistent read; it is under what one object may hold and hand over. */
export const EXPORT_READ_MAX_BYTES = 32_000_000;
export const EXPORT_CHUNK_BYTES = 1_000_000;
/** Parts of an archive in its bucket: all of one size, which is at least 5 MiB. */
export const ARCHIVE_PART_BYTES = 8_388_608;
/** Parts an archive is brought back in; of each character at most three bytes. */
export const RESTORE_PART_CHARS = 2_000_000;
export const EXPORT_PAGE_ROWS = 100;
/**
 * From this size on a board takes in nothing new. The platform refuses every write at 10 GB; the tenth that is left
 * is for finishing what stands. `EDGEBOARD_BOARD_MAX_BYTES` lowers it, where an account has less.
 */
export const BOARD_MAX_BYTES = 9_000_000_000;
/** What one token may ask of a board: this much at once, and at this pace from then on. */
export const TOKEN_CALLS_MAX = 600;
export const TOKEN_CALLS_PER_S = 60;
export const SHARES_KEPT_MAX = 1_000;
/**
 * What all of them may ask, in calls. The platform's guide for one object is a thousand plain calls a second; a row
 * costs a small part of one. Who asks more builds up a queue: a second of it is for reads, two are for writes.
 */
export const LOAD_PER_S = 1_000;
export const LOAD_READS_MAX = 1_000;
export const LOAD_WRITES_MAX = 2_000;
export const LOAD_ROW_READ = 0.001;
export const LOAD_ROW_WRITTEN = 0.01;
/** How long the Worker answers the reads of a board that has too much to do. */
export const OVERLOAD_REST_MS = 1_000;
export const OVERLOAD_KEPT_MAX = 1_000;
/** A request that was not answered by then is given up. Waiting takes 25 s at most. */
export const REQUEST_MAX_MS = 60_000;
export const CLAIM_MAX = 10;
/** A filtered claim-next looks at this many ready tasks before it gives up and says so. */
export const CLAIM_SCAN_MAX = 1_000;
export const HEARTBEAT_BATCH_MAX = 100;
/** Characters of rows in one answer; a code point is at most four bytes on its way. */
export const ANSWER_MAX_CHARS = 6_000_000;
export const UNBLOCKED_SHOWN = 100;
export const BLOCKERS_SHOWN = 100;
export const INCLUDED_MAX = 200;
export const RELATIVES_MAX = 1_000;
/** Links of a chain that `explain` shows, found within so many tasks upstream. */
export const CHAIN_MAX = 200;
export const CHAIN_SCAN_MAX = 10_000;
/** Relatives are looked for among this many of the tasks nearest upstream, and as many that wait. */
export const RELATIVES_SCAN_MAX = 1_000;
export const NOTES_MAX = 20;
/** A task blocked this often for one reason is blocked again, unless something else changes. */
export const RECURRING_BLOCKS = 3;
/** Events of a task read to see how often that was. */
export const BLOCKS_SCAN_MAX = 1_000;
/** Tasks of one reason that `stuck` counts before it says "at least". */
export const STUCK_COUNT_MAX = 10_000;
/** Rows of one kind that a scrape counts: it comes every minute. The help of its metrics says so, too. */
export const METRICS_COUNT_MAX = 1_000;
export const STRANDED_EDGES_MAX = 50_000;
export const STUCK_PATH_SHOWN = 20;
/** Different lists of capabilities looked at, of ready tasks and of tokens. */
export const DEMANDS_MAX = 200;
export const OFFERS_MAX = 1_000;
export const GRAPH_NODES_MAX = 5_000;
export const GRAPH_EDGES_MAX = 20_000;
export const GRAPH_DEPTH = 2;
export const GRAPH_DEPTH_MAX = 10;
/** A filtered read of the event log looks at this many rows, then hands back a cursor. */
export const EVENT_SCAN_MAX = 5_000;
/** Characters of a search. */
export const SEARCH_TEXT_MAX = 1_000;
/** A search looks at this many index entries, tasks and comments, then hands back a cursor. */
export const SEARCH_SCAN_MAX = 5_000;
/** It looks at so many at a time. */
export const SEARCH_STEP = 200;
/** How many of its terms are tried, by one step each, for the one that stands in the fewest texts. */
export const SEARCH_PROBES = 4;
/** A term too short for the index is still found by it while it stands in fewer pieces than this. */
export const SEARCH_SHORT_ENTRIES = 1_000;
/** Of one term, the index is asked for at most this many pieces. */
export const SEARCH_PIECES_MAX = 8;

/** Cards of each column in a snapshot, and what all of it weighs at most. */
export const SNAPSHOT_CARDS = 20;
export const SNAPSHOT_CARDS_MAX = 50;
export const SNAPSHOT_MAX_BYTES = 200_000;
/** Of that, what is kept free for everything but cards. */
export const SNAPSHOT_REST_BYTES = 8_000;
/** Characters of a blocked task's reason on a card. */
export const CARD_REASON_CHARS = 500;

/** The whole answer of one tool, envelope and both copies of the result included. */
export const TOOL_ANSWER_MAX_BYTES = 20_000;
/** Of that, what is kept free for the envelope and for words of our own. */
export const TOOL_ANSWER_REST_BYTES = 1_200;
export const TOOL_LIST_DEFAULT = 20;
export const TOOL_LIST_MAX = 100;
/** Rows a tool asks a board for at a time, of lists that it shows as far as there is room. */
export const TOOL_STEP = 25;
/** Edges one call of a tool adds, and takes away. */
export const TOOL_EDGES_MAX = 20;
/** How long a client may keep the list of tools. */
export const TOOLS_TTL_MS = 300_000;

/** Sockets that follow one board. */
export const SOCKETS_MAX = 1_000;
/** And those of one token: no one keeps the others out. */
export const SOCKETS_PER_TOKEN_MAX = 100;
/** Events, and characters of them, in one frame. */
export const FRAME_EVENTS_MAX = 200;
export const FRAME_MAX_CHARS = 64_000;
/** Events read at a time for one; it divides the number above. */
export const FRAME_READ_ROWS = 25;
/** Cards told with one frame, or one page, and characters of them; beyond it the snapshot is read anew. */
export const FRAME_CARDS_MAX = 500;
export const FRAME_CARDS_MAX_CHARS = 200_000;
/** Frames kept for readers who come by later, in characters. */
export const FRAMES_KEPT_CHARS = 8_000_000;
/** An event that was looked at for a filter weighs like so many characters sent. */
export const LOOKED_AT_CHARS = 50;
/** A filtered reader is told how far it is at least once in so many events. */
export const SKIPS_MAX = 500;
/** A reader that was sent this much since its last receipt is asked for one. */
export const RECEIPT_CHARS = 64_000;
/** It is sent nothing more while this much lies unread, and let go when no receipt comes for this long. */
export const UNREAD_MAX_CHARS = 1_000_000;
/** And this much of all sockets of a board together: the object has 128 MB for everything. */
export const UNREAD_ALL_MAX_CHARS = 32_000_000;
export const RECEIPT_WAIT_MS = 30_000;
/** What a reader may say at once: it has nothing to say but receipts. */
export const SOCKET_MESSAGE_MAX_CHARS = 1_000;

export const WAIT_MAX_MS = 25_000;
export const WAITERS_MAX = 200;
export const WAITERS_PER_TOKEN_MAX = 100;
/** What an empty claim-next asks its caller to wait, jittered up to twice this. */
export const RETRY_AFTER_MS = 1_000;

/** Webhooks of one board; each event they want is kept once for each. */
export const WEBHOOKS_MAX = 10;
export const WEBHOOK_URL_MAX = 2_000;
/** A receiver that has not answered by then has failed. */
export const WEBHOOK_TIMEOUT_MS = 5_000;
/** An attempt that has told nothing by then was lost with its object, and is made again. */
export const WEBHOOK_ATTEMPT_MS = 15_000;
/** Deliveries under way to one receiver, each about another task; one at a time while it fails. */
export const WEBHOOK_PARALLEL = 4;
/** Attempts begun by one ring of the alarm: the platform lets no more wait for their answers side by side. */
export const WEBHOOK_CONNECTIONS = 6;
/** The wait after the first failure; each further one is twice as long, up to a bound. */
export const WEBHOOK_BACKOFF_MS = 10_000;
export const WEBHOOK_BACKOFF_MAX_MS = 7_200_000;
/** A delivery that still fails this long after it was queued is dead. */
export const WEBHOOK_GIVE_UP_MS = 86_400_000;
/** Deliveries that died in a row, none having got through in between, before their webhook is disabled. */
export const WEBHOOK_DEAD_MAX = 5;
/** The delivery log goes back this far. */
export const WEBHOOK_LOG_MS = 604_800_000;
export const WEBHOOK_TRIM_BATCH = 500;

export const TITLE_MAX = 500;
export const TEXT_MAX = 20_000;
/** Of a command that is kept to be run again. */
export const COMMAND_MAX = 2_000;
export const LABEL_MAX = 64;
export const LABELS_MAX = 20;
export const NAME_MAX = 200;
export const AGENT_ID_MAX = 128;
export const REFERENCE_MAX = 500;
export const PRIORITY_MAX = 9;
/** 2100-01-01: a later time is a mistake of units. */
export const TIME_MAX_MS = 4_102_444_800_000;
/** How long a browser stays signed in; an operator's for less. */
export const SESSION_S = 43_200;
export const OPERATOR_SESSION_S = 3_600;
export const SESSION_CODE_MS = 60_000;
/** No token is longer, whatever it was minted with. */
export const TOKEN_MAX_CHARS = 16_000;
export const TOKEN_LIFETIME_MAX_S = 315_360_000;
export const OPERATOR_TOKEN_MIN = 32;
