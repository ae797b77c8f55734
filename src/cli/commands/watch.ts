import type { FollowEnd } from "../../client/live.ts";
import type { BoardEvent, EventKind } from "../../contract/events.ts";
import { command } from "../command.ts";
import type { Context } from "../context.ts";
import { eventLine } from "../event-line.ts";
import { EXIT, Failure } from "../failure.ts";
import { LiveView } from "../live-view.ts";
import { taskOption, texts, whole } from "../options.ts";
import { TaskNames } from "../task-names.ts";

export default command({
  summary: "Follow the board: a live view on a terminal, a line for each change otherwise",
  options: {
    task: taskOption("-t, --task <task>", "only changes of this task"),
    kind: texts("-k, --kind <kind>", "only this kind of change, may be repeated"),
    after: whole("--after <seq>", "from this place in the log on; from now on otherwise"),
  },
  examples: [
    ["edgeboard watch", "until Ctrl-C"],
    ["edgeboard watch -k execution_completed --json | notify", "each completion, for a script"],
    ["edgeboard watch --after 0", "everything that ever happened, then what does"],
  ],
  async run(context, { task, kind, after }) {
    context.stoppable();
    const lines = context.output.json || context.output.streams.stdout.isTTY !== true;
    const filter = {
      ...(task === undefined ? {} : { taskId: task }),
      kinds: kind as EventKind[] | undefined,
    };
    const end = lines ? await tell(context, filter, after) : await show(context, filter, after);
    if (end === "unauthorized")
      throw new Failure("The token is good no longer.", "Sign in again with `edgeboard login`.", EXIT.auth);
    if (end === "gone") throw new Failure("The board is gone.");
  },
});

interface Filter {
  taskId?: string;
  kinds?: EventKind[] | undefined;
}

/** Lines for whoever reads along. */
async function tell(context: Context, filter: Filter, after: number | undefined): Promise<FollowEnd> {
  const { board, output, signal } = context;
  const names = new TaskNames(board);
  const start = after ?? (await board.get({ signal })).seq;
  return follow(context, filter, start, {
    async onEvents(events) {
      if (!output.json) await names.learn(events);
      for (const event of events)
        output.line(output.json ? JSON.stringify(event) : eventLine(event, names.of, output.colors));
    },
    async onResync() {
      output.note("The log does not reach back that far; it goes on from now.");
      return (await board.get({ signal })).seq;
    },
  });
}

/** The board as it stands, and drawn anew with every change. */
async function show(context: Context, filter: Filter, after: number | undefined): Promise<FollowEnd> {
  const { board, output, signal } = context;
  const names = new TaskNames(board);
  const first = await board.snapshot({}, { signal });
  const view = new LiveView(output);
  // Beats are no changes, and make leases younger all the same.
  const clock = setInterval(() => void refresh(), 5_000);
  const refresh = async () => {
    try {
      view.stands(await board.snapshot({}, { signal, budgetMs: 0 }));
    } catch {
      // What is on the screen stays; the connection is told of by its own state.
    }
  };
  try {
    view.stands(first);
    return await follow(context, filter, after ?? first.seq, {
      async onEvents(events) {
        await names.learn(events);
        for (const event of events) view.happened(eventLine(event, names.of, output.colors));
        await refresh();
      },
      async onResync() {
        const snapshot = await board.snapshot({}, { signal });
        view.stands(snapshot);
        return snapshot.seq;
      },
      onState: (state) => view.state(state.replace("_", " ")),
    });
  } finally {
    clearInterval(clock);
    view.end();
  }
}

interface Handlers {
  onEvents: (events: BoardEvent[]) => Promise<void>;
  onResync: () => Promise<number>;
  onState?: (state: string) => void;
}

async function follow(
  { board, signal }: Context,
  { taskId, kinds }: Filter,
  after: number,
  handlers: Handlers,
): Promise<FollowEnd> {
  return board.follow({
    after,
    ...(taskId === undefined ? {} : { taskId }),
    ...(kinds === undefined ? {} : { kinds }),
    signal,
    ...handlers,
  });
}
