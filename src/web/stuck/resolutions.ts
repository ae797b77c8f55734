/** What can be done about a task that is stuck, by whoever is signed in: each a button in its row. */
import type { Board } from "../../client/board.ts";
import { Refused } from "../../client/errors.ts";
import type { Me } from "../../contract/answers.ts";
import type { StuckTask } from "../../contract/insight.ts";
import { taskPath } from "../ui/task-path.ts";

/** Asked before it is done: what will come of it, and words where they are wanted. */
interface Question {
  title: string;
  explains: string;
  action: string;
  danger?: boolean;
  words?: { label: string; required: boolean };
}

export type Resolution = { label: string } & (
  | { way: "link"; href: string }
  | { way: "form"; form: "replace" | "requires" }
  | {
      way: "act";
      question?: Question;
      act: (board: Board, words: string) => Promise<unknown>;
      /** What is said once it is done. */
      done: string;
    }
);

/** The best way out comes first. */
export function resolutionsOf(stuck: StuckTask, boardId: string, me: Me, leads: boolean): Resolution[] {
  if (leads) return AS_LEAD[stuck.reason](stuck, boardId);
  const judges = me.role === "verifier" && stuck.reason === "no_reviewer" && stuck.builtBy !== me.agentId;
  return judges ? [approveAsVerifier(stuck), sendBack(stuck)] : [];
}

const AS_LEAD: Record<StuckTask["reason"], (stuck: StuckTask, boardId: string) => Resolution[]> = {
  no_lease: (stuck) => [backToTodo(stuck), cancel(stuck)],
  unreachable: (stuck) => [...restoreBlocker(stuck), unlinkDeadEnd(stuck), REPLACE, cancel(stuck)],
  attempt_limit: (stuck, boardId) => [
    tryAgain(stuck),
    { way: "link", label: "Edit the task", href: taskPath(boardId, stuck.task.number) },
  ],
  no_reviewer: (stuck, boardId) => [
    { way: "link", label: "Mint a verifier", href: `/b/${boardId}/connect?role=verifier` },
    approveAsLead(stuck),
    sendBack(stuck),
  ],
  overrun: (stuck) => [askToStop(stuck), ...(stuck.task.status === "in_progress" ? [takeBack(stuck)] : [])],
  unclaimable: (stuck, boardId) => [
    { way: "link", label: "Mint a token for it", href: mintFor(stuck.requiredCapabilities ?? [], boardId) },
    { way: "form", label: "Change what it requires…", form: "requires" },
  ],
};

const REPLACE: Resolution = { way: "form", label: "Wait for another…", form: "replace" };

/** The edge that has to go: the last one of the path, which may be further up than the task itself. */
export function deadEdge({ task, path = [], blocker }: StuckTask) {
  return blocker === undefined ? null : { waiting: path.at(-2) ?? task, blocker };
}

function backToTodo({ task }: StuckTask): Resolution {
  return {
    way: "act",
    label: "Back to To do",
    act: (board) => board.tasks.edit(task.id, { status: "todo" }),
    done: `n${task.number} is to do again.`,
  };
}

function cancel({ task }: StuckTask): Resolution {
  return {
    way: "act",
    label: "Cancel it…",
    question: {
      title: `Cancel n${task.number}?`,
      explains:
        "It ends here for good. What waits for it keeps waiting, unless its dependency says otherwise.",
      action: `Cancel n${task.number}`,
      danger: true,
      words: { label: "Why (optional)", required: false },
    },
    act: (board, words) => board.tasks.edit(task.id, { status: "cancelled", ...reason(words) }),
    done: `n${task.number} is cancelled.`,
  };
}

/** Where it was dropped but had not ended, it can simply be brought back. */
function restoreBlocker({ blocker }: StuckTask): Resolution[] {
  if (blocker === undefined || !blocker.dropped || blocker.status === "cancelled") return [];
  return [
    {
      way: "act",
      label: `Restore n${blocker.number}`,
      act: (board) => board.tasks.restore(blocker.id),
      done: `n${blocker.number} is back.`,
    },
  ];
}

function unlinkDeadEnd(stuck: StuckTask): Resolution {
  const edge = deadEdge(stuck);
  const waiting = edge?.waiting ?? stuck.task;
  const name = edge === null ? "" : ` from n${edge.blocker.number}`;
  return {
    way: "act",
    label: `Unlink n${waiting.number}${name}`,
    act: async (board) => {
      if (edge !== null) await board.tasks.unlink(waiting.id, edge.blocker.id);
    },
    done: `n${waiting.number} no longer waits for n${edge?.blocker.number}.`,
  };
}

function tryAgain({ task }: StuckTask): Resolution {
  return {
    way: "act",
    label: "Try again…",
    question: {
      title: `Let n${task.number} be tried again`,
      explains:
        "It goes to To do and its attempts are counted anew. Your note stands on the task as a comment.",
      action: "Back to To do",
      words: { label: "What the next one has to know", required: true },
    },
    act: async (board, words) => {
      // The note goes first: whoever claims the task in the same second has to find it.
      await board.tasks.comment(task.id, words);
      await board.tasks.edit(task.id, { status: "todo" });
    },
    done: `n${task.number} is to do again, with your note.`,
  };
}

function approveAsVerifier({ task }: StuckTask): Resolution {
  return {
    way: "act",
    label: "Approve",
    act: (board) => board.tasks.edit(task.id, { status: "done" }),
    done: `n${task.number} is done.`,
  };
}

function approveAsLead({ task }: StuckTask): Resolution {
  return {
    way: "act",
    label: "Approve as lead…",
    question: {
      title: `Approve n${task.number}`,
      explains:
        "Look at the work first. Where a verdict is missing or speaks against it, this overrides it, and the board keeps your reason.",
      action: "It is done",
      words: { label: "Why it may pass", required: true },
    },
    act: async (board, words) => {
      const body = { status: "done" as const, overrideReason: words };
      try {
        await board.tasks.edit(task.id, body);
      } catch (error) {
        if (!Refused.is(error, "verification_required", "not_ready")) throw error;
        await board.tasks.edit(task.id, { ...body, humanOverride: true });
      }
    },
    done: `n${task.number} is done.`,
  };
}

function sendBack({ task }: StuckTask): Resolution {
  return {
    way: "act",
    label: "Send back…",
    question: {
      title: `Send n${task.number} back`,
      explains: "It is to do again, with your notes.",
      action: "Send it back",
      words: { label: "What has to change", required: true },
    },
    act: (board, words) => board.tasks.requestChanges(task.id, words),
    done: `n${task.number} was sent back.`,
  };
}

function askToStop({ task, holder }: StuckTask): Resolution {
  return {
    way: "act",
    label: "Ask to stop…",
    question: {
      title: `Ask ${holder?.agentId ?? "the holder"} to stop`,
      explains: "It hears of it with its next beat. The task stays its own until it gives it up.",
      action: "Ask to stop",
      words: { label: "Why", required: true },
    },
    act: (board, words) => board.tasks.stop(task.id, { mode: "cancel", reason: words }),
    done: `The holder of n${task.number} was asked to stop.`,
  };
}

function takeBack({ task, holder }: StuckTask): Resolution {
  return {
    way: "act",
    label: "Take it back…",
    question: {
      title: `Take n${task.number} from ${holder?.agentId ?? "its holder"}?`,
      explains:
        "The lease ends now, whatever the holder is doing. What it has not handed in is not on the board.",
      action: "Take it back",
      danger: true,
      words: { label: "Why (optional)", required: false },
    },
    act: (board, words) => board.tasks.edit(task.id, { status: "todo", displace: true, ...reason(words) }),
    done: `n${task.number} is to do again.`,
  };
}

function mintFor(capabilities: readonly string[], boardId: string): string {
  const params = new URLSearchParams({ role: "worker" });
  for (const capability of capabilities) params.append("capability", capability);
  return `/b/${boardId}/connect?${params}`;
}

function reason(words: string) {
  return words === "" ? {} : { overrideReason: words };
}
