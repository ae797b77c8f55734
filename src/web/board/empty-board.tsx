/** How a board begins. */
import { Link } from "wouter-preact";
import { useRoom } from "../room/room.tsx";
import { CopyButton } from "../ui/copy.tsx";
import { Empty } from "../ui/empty.tsx";

export default function EmptyBoard() {
  const { id, may } = useRoom();
  const command = `edgeboard import plan.jsonl --board ${id} --url ${location.origin}`;
  return (
    <Empty title="Nothing is on this board yet">
      <p>Write the first task with “New task”, bring a plan along, or let an agent plan.</p>
      <p className="empty-command">
        <code>{command}</code>
        <CopyButton text={command} />
      </p>
      {may("lead") && (
        <Link href={`/b/${id}/connect`} className="button">
          Connect an agent
        </Link>
      )}
    </Empty>
  );
}
