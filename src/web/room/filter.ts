/** What of a board is looked at. It stands in the address, so that a view can be kept and sent to somebody. */
import type { Me } from "../../contract/answers.ts";
import { type Card, isCardReady } from "./card.ts";

export interface Filter {
  text: string;
  assignee: string;
  label: string;
  ready: boolean;
  mine: boolean;
}

export const NO_FILTER: Filter = { text: "", assignee: "", label: "", ready: false, mine: false };

export function readFilter(search: string): Filter {
  const params = new URLSearchParams(search);
  return {
    text: params.get("q") ?? "",
    assignee: params.get("assignee") ?? "",
    label: params.get("label") ?? "",
    ready: params.has("ready"),
    mine: params.has("mine"),
  };
}

/** Empty for no filter; the same text for the same filter. */
export function writeFilter({ text, assignee, label, ready, mine }: Filter): string {
  const params = new URLSearchParams();
  if (text !== "") params.set("q", text);
  if (assignee !== "") params.set("assignee", assignee);
  if (label !== "") params.set("label", label);
  if (ready) params.set("ready", "");
  if (mine) params.set("mine", "");
  return params.toString();
}

/** The same, as `GET tasks` asks it. */
export function queryOf({ text, assignee, label, ready, mine }: Filter) {
  return {
    ...(text === "" ? {} : { q: text }),
    ...(assignee === "" ? {} : { assigneeAgentId: assignee }),
    ...(label === "" ? {} : { label: [label] }),
    ...(ready ? { ready: true } : {}),
    ...(mine ? { mine: true } : {}),
  };
}

/**
 * Whether a card that has just changed belongs to it. The server searches descriptions and comments too, which a card
 * does not have: what it found stays found (`listed`), and of what is new only the title is looked at.
 */
export function matches(card: Card, filter: Filter, me: Me, now: number, listed: boolean): boolean {
  if (filter.assignee !== "" && card.assigneeAgentId !== filter.assignee) return false;
  if (filter.mine && card.assigneeAgentId !== me.agentId) return false;
  if (filter.label !== "" && !card.labels.includes(filter.label)) return false;
  if (filter.ready && !isCardReady(card, now)) return false;
  if (filter.text === "" || listed) return true;
  const title = card.title.toLowerCase();
  return filter.text
    .toLowerCase()
    .split(/\s+/)
    .every((term) => title.includes(term));
}
