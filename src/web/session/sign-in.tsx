/** The way in: a token, which is changed into a cookie and kept nowhere. */
import { useId, useState } from "react";
import { Fault } from "../ui/fault.tsx";
import { errorText } from "../ui/problem.ts";
import { signIn } from "./session.ts";

export default function SignIn({ why }: { why: unknown }) {
  const [token, setToken] = useState("");
  const [fault, setFault] = useState(why === null ? null : errorText(why));
  const [busy, setBusy] = useState(false);
  const field = useId();
  const enter = async () => {
    setBusy(true);
    setFault(null);
    try {
      await signIn(token.trim());
    } catch (error) {
      setFault(errorText(error));
      setBusy(false);
    }
  };
  return (
    <main className="sign-in">
      <form
        className="panel"
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <img src="/icon.svg" alt="" width="32" height="32" />
        <h1>Edgeboard</h1>
        <p className="soft">Sign in with a token of your board, or with the operator's.</p>
        {fault !== null && <Fault text={fault} />}
        <div className="field">
          <label htmlFor={field}>Token</label>
          <input
            id={field}
            className="input"
            type="password"
            autoComplete="off"
            spellcheck={false}
            required
            value={token}
            onInput={(event) => setToken(event.currentTarget.value)}
          />
        </div>
        <button type="submit" className="button" data-kind="primary" disabled={busy || token.trim() === ""}>
          Sign in
        </button>
        <p className="soft small">
          The token is not kept: this browser gets a cookie that only the server can read, for twelve hours at
          most. A local <code>npm start</code> prints a link that signs you in.
        </p>
      </form>
    </main>
  );
}
