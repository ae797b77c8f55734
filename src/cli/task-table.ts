/** Lists of tasks: read page by page, shown as a table. */
import type { Answer, Query } from "../client/calls.ts";
import { LIST_DEFAULT, LIST_MAX } from "../contract/limits.ts";
import type { Task } from "../contract/task.ts";
import type { Context } from "./context.ts";
import type { Output } from "./output.ts";
import { type Column, table } from "./table.ts";
import { statusColor, until } from "./words.ts";

export interface Paging {
  limit?: number | undefined;
  all?: boolean | undefined;
}

export async function listed(context: Context, paging: Paging, filter: Query<"listTasks">): Promise<void> {
  const { output } = context;
  const answer = await readTasks(context, paging, filter);
  await output.answer(answer, () =>
    answer.tasks.length === 0 ? "No tasks." : taskTable(output, answer.tasks),
  );
  if (answer.hasMore) output.note("There are more; --all shows them.");
}

/** As many pages as it takes; the answer looks like one page that had room for them. */
async function readTasks(
  context: Context,
  { limit = LIST_DEFAULT, all = false }: Paging,
  filter: Query<"listTasks">,
): Promise<Answer<"listTasks">> {
  const most = all ? Number.POSITIVE_INFINITY : limit;
  const tasks: Task[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await context.board.tasks.list({
      ...filter,
      limit: Math.min(LIST_MAX, most - tasks.length),
      cursor,
    });
    tasks.push(...page.tasks);
    if (page.nextCursor === null || tasks.length >= most) return { ...page, tasks };
    cursor = page.nextCursor;
  }
}

export function taskTable(output: Output, tasks: Task[]): Promise<string> {
  const { colors } = output;
  const columns: Column<Task>[] = [
    { head: "task", cell: ({ number }) => `n${number}`, color: colors.bold },
    { head: "status", cell: statusOf, color: (text, { status }) => statusColor(colors, status)(text) },
    { head: "prio", cell: ({ priority }) => priority || "", right: true },
    { head: "title", cell: ({ title }) => title, gives: true },
    { head: "labels", cell: ({ labels }) => labels.join(" "), color: colors.dim },
    { head: "holder", cell: holderOf },
  ];
  return table(output, tasks, columns);
}

function statusOf({ status, ready, openDependencies, notBefore }: Task): string {
  if (status !== "todo" || ready) return status;
  if (openDependencies > 0) return `todo, waits for ${openDependencies}`;
  return notBefore !== null && notBefore > Date.now() ? `todo ${until(notBefore)}` : status;
}

function holderOf({ assigneeAgentId, lease }: Task): string {
  if (assigneeAgentId === null) return "";
  return lease?.state === "expired" ? `${assigneeAgentId} (silent)` : assigneeAgentId;
}
