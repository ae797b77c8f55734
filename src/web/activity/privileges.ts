/** A privilege that somebody used, as a sentence around the task it was used on. */
import type { AuditEntry } from "../../contract/events.ts";
import type { Told } from "../ui/told.ts";
import { boardChange, type Data, plain, said, statusName, text } from "../ui/told-words.ts";
import { PRIVILEGE_NAMES } from "./kinds.ts";

export function tellPrivilege({ kind, reason, data, priorStatus }: AuditEntry): Told {
  const words = said(reason);
  const ends = priorStatus === null ? "" : `(was ${statusName(priorStatus)})`;
  const of = PRIVILEGES[kind];
  if (of !== undefined) return { ends, words, ...of(data) };
  return { does: `${(PRIVILEGE_NAMES[kind] ?? plain(kind)).toLowerCase()}:`, ends, words };
}

const PRIVILEGES: Record<string, (data: Data) => Told> = {
  human_override: (data) => ({
    does: "overrode the gate of",
    ends: `and moved it to ${statusName(data["to"])}`,
  }),
  displace: (data) => ({ does: "took", ends: `from ${text(data["holder"])}, to ${statusName(data["to"])}` }),
  cancel_held: (data) => ({ does: "cancelled", ends: `while ${text(data["holder"])} held it` }),
  drop_held: (data) => ({ does: "dropped", ends: `while ${text(data["holder"])} held it` }),
  ignore_dependencies: () => ({ does: "claimed", ends: "before what it waits for was done" }),
  stop: (data) => ({
    does: `asked ${text(data["holder"])} to ${data["mode"] === "drain" ? "finish" : "stop"}, on`,
    ends: "",
  }),
  reconcile: (data) => ({ does: `ran a recovery by hand, which closed ${text(data["closed"])}`, ends: "" }),
  import: (data) => ({ does: `imported from ${text(data["source"])}`, ends: "" }),
  board_changed: (data) => ({ does: boardChange(data), ends: "" }),
  token_minted: (data) => ({ does: `made a ${text(data["role"])}'s token for ${text(data["agentId"])}` }),
  token_revoked: (data) => ({ does: `revoked a token of ${text(data["agentId"])}` }),
};
