/** Ends a token, after saying what else ends with it. */
import { useRoom } from "../room/room.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TaskLink } from "../ui/task-link.tsx";
import { notify } from "../ui/toasts.tsx";
import type { Agent, TokenInfo } from "./read.ts";

interface RevokeDialogProps {
  token: TokenInfo;
  held: Agent["tasks"] | undefined;
  /** The agent has other tokens that stand: what it holds may have been claimed with those. */
  others: boolean;
  onDone: () => void;
  onClose: () => void;
}

export function RevokeDialog({ token, held, others, onDone, onClose }: RevokeDialogProps) {
  const { board, me } = useRoom();
  const { agentId, role } = token;
  const leased = held?.filter(({ expiresAt }) => expiresAt !== null) ?? [];
  const revoke = async () => {
    await board.revokeToken(token.id);
    notify(`A ${role} token of ${agentId} is revoked.`);
    onDone();
  };
  return (
    <FormDialog
      title={`Revoke a token of ${agentId}?`}
      action="Revoke it"
      danger
      onSubmit={revoke}
      onClose={onClose}
    >
      <p>
        Its next call is refused, for good. Leases that were claimed with it end now, and no attempt is
        counted.
      </p>
      {leased.length > 0 && (
        <div>
          <p>{others ? "Of these, those claimed with this token go back:" : "These go back:"}</p>
          <ul className="agents-ends">
            {leased.map((task) => (
              <li key={task.id}>
                <TaskLink task={task} />
              </li>
            ))}
          </ul>
        </div>
      )}
      {held !== undefined && leased.length === 0 && <p>It holds nothing at the moment.</p>}
      {agentId === me.agentId && role === me.role && (
        <p className="notice" data-tone="warn">
          This may be the token you are signed in with: then you are signed out.
        </p>
      )}
    </FormDialog>
  );
}
