import { useEffect } from 'preact/hooks';
import { isTokenGiven, refusal, setToken, signInPath } from '../data/api.ts';
import { mayLead, signIn } from '../data/session.tsx';

/** Leads to the sign-in where the server has one, and otherwise asks for a token. */
export function Entrance() {
  const leads = signInPath.value !== undefined && !isTokenGiven() && mayLead();
  useEffect(() => {
    if (leads) signIn();
  }, [leads]);
  if (leads) return <main class="entrance" aria-busy="true" />;
  return (
    <main class="entrance">
      <h1>Plumbline</h1>
      {signInPath.value === undefined ? (
        <TokenForm />
      ) : (
        <>
          {refusal.value && <p role="alert">{refusal.value}</p>}
          <button type="button" onClick={signIn} autofocus>
            Sign in
          </button>
          <details>
            <summary>With a token</summary>
            <TokenForm />
          </details>
        </>
      )}
    </main>
  );
}

/** Asks for a token, which is kept in memory, or for the tab if the reader wants that. */
function TokenForm() {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setToken(String(form.get('token')).trim(), form.has('keep'));
  };
  return (
    <form onSubmit={submit}>
      {refusal.value && signInPath.value === undefined && <p role="alert">{refusal.value}</p>}
      <label>
        Token
        <input name="token" type="password" required autocomplete="off" autofocus />
      </label>
      <label>
        <input name="keep" type="checkbox" /> Keep it until this tab is closed
      </label>
      <button type="submit">Show the reports</button>
      <p class="hint">
        Whoever runs this server makes tokens: <code>plumbline token create</code>
      </p>
    </form>
  );
}
