/** The ways between the pages of a board: at the side where there is room, at the foot of a phone. */
import { Link, useLocation } from "wouter-preact";
import { useBoard, useRoom } from "../room/room.tsx";
import { signOut } from "../session/session.ts";
import { Icon, type IconName } from "../ui/icon.tsx";
import { errorText } from "../ui/problem.ts";
import { notify } from "../ui/toasts.tsx";
import { turnTheme } from "./theme.ts";

interface Place {
  name: string;
  path: string;
  icon: IconName;
  leadOnly?: boolean;
}

export const PLACES: readonly Place[] = [
  { name: "Board", path: "", icon: "board" },
  { name: "Stuck", path: "/stuck", icon: "stuck" },
  { name: "Graph", path: "/graph", icon: "graph" },
  { name: "Runs", path: "/runs", icon: "runs" },
  { name: "Agents", path: "/agents", icon: "agents" },
  { name: "Activity", path: "/activity", icon: "activity" },
  { name: "Connect", path: "/connect", icon: "connect", leadOnly: true },
];

export function Nav({ onSearch }: { onSearch: () => void }) {
  const { id, me, may } = useRoom();
  const [location] = useLocation();
  const board = useBoard();
  const root = `/b/${id}`;
  const here = location.slice(root.length).split("/")[1] ?? "";
  const places = PLACES.filter(({ leadOnly }) => leadOnly !== true || may("lead"));
  const leave = () => signOut().catch((error) => notify(errorText(error), "bad"));
  return (
    <nav className="nav" aria-label="Pages of the board">
      <Link href="/" className="nav-home" title="All boards">
        <Icon name="home" />
        <span className="nav-name foreign">{board?.name ?? id}</span>
      </Link>
      <button type="button" className="nav-item nav-search" onClick={onSearch}>
        <Icon name="search" />
        <span>Search</span>
        <kbd>⌘K</kbd>
      </button>
      <ul className="nav-places">
        {places.map(({ name, path, icon }) => (
          <li key={path}>
            <Link
              href={root + path}
              className="nav-item"
              aria-current={here === path.slice(1) || (path === "" && here === "t") ? "page" : undefined}
            >
              <Icon name={icon} />
              <span>{name}</span>
            </Link>
          </li>
        ))}
      </ul>
      <div className="nav-foot">
        <span className="nav-me soft foreign" title={`Signed in as ${me.agentId}, ${me.role}`}>
          {me.agentId} · {me.role}
        </span>
        <button
          type="button"
          className="button"
          data-kind="plain"
          aria-label="Light or dark"
          title="Light or dark"
          onClick={turnTheme}
        >
          <Icon name="theme" />
        </button>
        <button
          type="button"
          className="button"
          data-kind="plain"
          aria-label="Sign out"
          title="Sign out"
          onClick={() => void leave()}
        >
          <Icon name="out" />
        </button>
      </div>
    </nav>
  );
}
