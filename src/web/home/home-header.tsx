/** The top of the page of boards, where there is no board yet to go around in. */
import type { Me } from "../../contract/answers.ts";
import { signOut } from "../session/session.ts";
import { turnTheme } from "../shell/theme.ts";
import { Icon } from "../ui/icon.tsx";
import { errorText } from "../ui/problem.ts";
import { notify } from "../ui/toasts.tsx";

export function HomeHeader({ me }: { me: Me }) {
  const leave = () => signOut().catch((error) => notify(errorText(error), "bad"));
  return (
    <header className="home-header">
      <p className="home-name">
        <img src="/icon.svg" alt="" width="20" height="20" />
        Edgeboard
      </p>
      <span className="home-me soft">
        <bdi className="foreign">{me.agentId}</bdi>
        {me.agentId !== me.role && ` · ${me.role}`}
      </span>
      <a className="button" data-kind="plain" href="/docs">
        API
      </a>
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
      <button type="button" className="button" data-kind="plain" onClick={() => void leave()}>
        <Icon name="out" />
        Sign out
      </button>
    </header>
  );
}
