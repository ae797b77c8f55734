/** Every route of the interface, by the name clients call it by. */
import * as archives from "./routes/archives.ts";
import * as boards from "./routes/boards.ts";
import * as claims from "./routes/claims.ts";
import * as dependencies from "./routes/dependencies.ts";
import * as imports from "./routes/imports.ts";
import * as insight from "./routes/insight.ts";
import * as live from "./routes/live.ts";
import * as log from "./routes/log.ts";
import * as session from "./routes/session.ts";
import * as stats from "./routes/stats.ts";
import * as steering from "./routes/steering.ts";
import * as tasks from "./routes/tasks.ts";
import * as webhooks from "./routes/webhooks.ts";

export const ROUTES = {
  ...boards,
  ...tasks,
  ...claims,
  ...dependencies,
  ...imports,
  ...archives,
  ...insight,
  ...log,
  ...live,
  ...session,
  ...steering,
  ...stats,
  ...webhooks,
};
