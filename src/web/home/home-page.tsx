/** All boards for an operator and for people whom Access let in, or the one board of whoever holds its token. */
import { useState } from "react";
import type { Me } from "../../contract/answers.ts";
import { mayAs } from "../session/session.ts";
import { useTitle } from "../shell/page.tsx";
import { Icon } from "../ui/icon.tsx";
import { BoardList } from "./board-list.tsx";
import { CreateBoard } from "./create-board.tsx";
import { HomeHeader } from "./home-header.tsx";
import { OwnBoard } from "./own-board.tsx";
import { useBoards } from "./use-boards.ts";
import "./home.css";

export default function HomePage({ me }: { me: Me }) {
  useTitle("Boards");
  return (
    <div className="home">
      <HomeHeader me={me} />
      <main className="page" id="main" tabIndex={-1}>
        {me.board === null ? (
          <AllBoards operates={mayAs(me, "operator")} />
        ) : (
          <OwnBoard me={me} id={me.board} />
        )}
      </main>
    </div>
  );
}

function AllBoards({ operates }: { operates: boolean }) {
  const boards = useBoards();
  const [creating, setCreating] = useState(false);
  return (
    <>
      <header className="page-header">
        <h1>Boards</h1>
        {operates && boards.list !== null && boards.list.length > 0 && (
          <div className="page-actions">
            <button type="button" className="button" data-kind="primary" onClick={() => setCreating(true)}>
              <Icon name="plus" />
              Create a board
            </button>
          </div>
        )}
      </header>
      <BoardList boards={boards} operates={operates} onCreate={() => setCreating(true)} />
      {creating && <CreateBoard onClose={() => setCreating(false)} onDone={boards.reload} />}
    </>
  );
}
