/** The frame of every page of a board but the board itself: its title, what can be done, and its content. */
import { type ReactNode, useEffect } from "react";
import { useBoard, useRoom } from "../room/room.tsx";
import { ConnectionBadge } from "./connection-badge.tsx";

interface PageProps {
  title: string;
  /** One sentence on what this page is for, where the title does not say it. */
  lead?: string;
  actions?: ReactNode;
  /** Over the whole width, for what is wide by itself. */
  wide?: boolean;
  children: ReactNode;
}

export function Page({ title, lead, actions, wide = false, children }: PageProps) {
  const { id } = useRoom();
  const name = useBoard()?.name ?? id;
  useTitle(`${title} · ${name}`);
  return (
    <main className={wide ? "page wide" : "page"} id="main" tabIndex={-1}>
      <header className="page-header">
        <div className="page-title">
          <h1>{title}</h1>
          <ConnectionBadge />
        </div>
        {actions !== undefined && <div className="page-actions">{actions}</div>}
        {lead !== undefined && <p className="soft page-lead">{lead}</p>}
      </header>
      {children}
    </main>
  );
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Edgeboard`;
  }, [title]);
}
