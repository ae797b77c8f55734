/** What the palette offers: each a line, and what it does once it is chosen. */
import type { TaskStatus } from "../../rules/status.ts";
import type { Card } from "../room/card.ts";
import { type Filter, NO_FILTER, writeFilter } from "../room/filter.ts";
import { targetsOf } from "../room/moves.ts";
import type { Room } from "../room/room.tsx";
import { PLACES } from "../shell/nav.tsx";
import type { IconName } from "../ui/icon.tsx";
import { STATUS_NAMES } from "../ui/status.tsx";

export type Act =
  | { does: "go"; path: string }
  | { does: "open"; number: number; title: string }
  | { does: "move"; card: Card; to: TaskStatus }
  | { does: "theme" | "keys" | "out" };

export interface Entry {
  key: string;
  group: string;
  label: string;
  icon?: IconName;
  status?: TaskStatus;
  act: Act;
}

export interface Named {
  number: number;
  title: string;
  status?: TaskStatus;
}

export function taskEntry(task: Named, group: string): Entry {
  const { number, title, status } = task;
  return {
    key: `${group} n${number}`,
    group,
    label: `n${number} ${title}`,
    act: { does: "open", number, title },
    ...(status === undefined ? {} : { status }),
  };
}

/** Everything but tasks; `at` is the task somebody is at. */
export function commandEntries({ id, me, may, store }: Room, at: Card | null): Entry[] {
  const moves = (at === null ? [] : targetsOf(at, me)).map((to): Entry => {
    const card = at as Card;
    const label = `Move n${card.number} to ${STATUS_NAMES[to]}`;
    return {
      key: label,
      group: `n${card.number} ${card.title}`,
      label,
      status: to,
      act: { does: "move", card, to },
    };
  });
  const places = PLACES.filter(({ leadOnly }) => leadOnly !== true || may("lead")).map(
    ({ name, path, icon }): Entry => ({
      key: `page ${name}`,
      group: "Pages",
      label: name,
      icon,
      act: { does: "go", path: `/b/${id}${path}` },
    }),
  );
  const shown = (label: string, filter: Partial<Filter>): Entry => {
    const search = writeFilter({ ...NO_FILTER, ...filter });
    return {
      key: `filter ${label}`,
      group: "The board, filtered",
      label,
      icon: "board",
      act: { does: "go", path: `/b/${id}${search === "" ? "" : `?${search}`}` },
    };
  };
  const assignees = new Set(store.cards().flatMap(({ assigneeAgentId }) => assigneeAgentId ?? []));
  return [
    ...places,
    { key: "boards", group: "Pages", label: "All boards", icon: "home", act: { does: "go", path: "/" } },
    // Not the first: whoever presses Enter too soon has then only gone somewhere.
    ...moves,
    shown("Ready tasks", { ready: true }),
    shown("My tasks", { mine: true }),
    ...[...assignees].sort().map((name) => shown(`Tasks of ${name}`, { assignee: name })),
    shown("No filter", {}),
    { key: "theme", group: "This page", label: "Light or dark", icon: "theme", act: { does: "theme" } },
    { key: "keys", group: "This page", label: "All keys", icon: "more", act: { does: "keys" } },
    { key: "out", group: "This page", label: "Sign out", icon: "out", act: { does: "out" } },
  ];
}
