/** "Move to": the legal targets of one card, for hands that do not drag. */
import type { TaskStatus } from "../../rules/status.ts";
import { targetsOf } from "../room/moves.ts";
import { useCard, useRoom } from "../room/room.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Status } from "../ui/status.tsx";

interface MoveMenuProps {
  id: string;
  onPick: (to: TaskStatus) => void;
  onClose: () => void;
}

export default function MoveMenu({ id, onPick, onClose }: MoveMenuProps) {
  const { me } = useRoom();
  const card = useCard(id);
  if (card === null) return null;
  const targets = targetsOf(card, me);
  return (
    <Dialog title={`Move n${card.number} to`} onClose={onClose} className="move-menu">
      {targets.length === 0 && <p className="soft">There is nowhere you may move it from here.</p>}
      <ul className="move-targets" onKeyDown={walk}>
        {targets.map((to) => (
          <li key={to}>
            <button type="button" className="button" data-kind="plain" onClick={() => onPick(to)}>
              <Status status={to} />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

/** Arrows go from one to the next. */
function walk(event: React.KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const buttons = [...event.currentTarget.querySelectorAll("button")];
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
  buttons[(at + step + buttons.length) % buttons.length]?.focus();
  event.preventDefault();
}
