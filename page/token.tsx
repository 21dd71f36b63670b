import { refusal, setToken } from './api.ts';

/** Asks for a token, which is kept in memory, or for the tab if the reader wants that. */
export function TokenForm() {
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    setToken(String(form.get('token')).trim(), form.has('keep'));
  };
  return (
    <main class="entrance">
      <h1>Plumbline</h1>
      <form onSubmit={submit}>
        {refusal.value && <p role="alert">{refusal.value}</p>}
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
    </main>
  );
}
