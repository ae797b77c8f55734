/** All checks there are, in the order in which they are made and told. */
import { alarms } from "./board/alarms.ts";
import { follow } from "./board/follow.ts";
import { reads } from "./board/reads.ts";
import { room } from "./board/room.ts";
import { state } from "./board/state.ts";
import { stuck } from "./board/stuck.ts";
import { sweep } from "./board/sweep.ts";
import { tools } from "./board/tools.ts";
import { webhooks } from "./board/webhooks.ts";
import type { AtBoard, AtScratch, AtServer, Check } from "./check.ts";
import { clock } from "./server/clock.ts";
import { headers } from "./server/headers.ts";
import { page } from "./server/page.ts";
import { tls } from "./server/tls.ts";
import { version } from "./server/version.ts";
import { alarm } from "./story/alarm.ts";
import { copy } from "./story/copy.ts";
import { fencing } from "./story/fencing.ts";
import { lease } from "./story/lease.ts";
import { mcp } from "./story/mcp.ts";
import { ordering } from "./story/ordering.ts";
import { revoked } from "./story/revoked.ts";
import { socket } from "./story/socket.ts";
import { speed } from "./story/speed.ts";
import { twice } from "./story/twice.ts";
import { webhook } from "./story/webhook.ts";

export const OF_SERVER: Check<AtServer>[] = [version, tls, headers, page, clock];

/** Whoever's the board is, these only read. */
export const OF_BOARD: Check<AtBoard>[] = [state, reads, stuck, sweep, alarms, room, webhooks, follow, tools];

/** For an operator, on a board that is made for them. */
export const OF_SCRATCH: Check<AtScratch>[] = [
  twice,
  ordering,
  lease,
  fencing,
  socket,
  webhook,
  mcp,
  copy,
  revoked,
  // It makes leases brief, which is for none of the others.
  alarm,
  speed,
];

/** What `--only` may choose; what comes before the chosen ones is looked at in any case. */
export const NAMES: string[] = [...OF_SERVER, ...OF_BOARD, ...OF_SCRATCH].map(({ name }) => name);
