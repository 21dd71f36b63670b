import { useEffect, useState } from 'preact/hooks';
import { isTokenGiven, readJson, refuse, sendJson, signInPath } from './api.ts';

/** Somebody who has signed in, as the server tells it. */
interface Session {
  readonly name: string;
}

/** Holds the time of the last sign-in that the page began by itself, so that it doesn't begin one after the other. */
const BEGUN = 'plumbline.sign-in';

/** Time between two sign-ins that the page begins by itself. Unit: ms. */
const PAUSE_MS = 10_000;

/** A cookie that the page reads: there is a session, whose own cookie no script sees. */
const MARK = 'plumbline-signed-in=';

/** Leads to the sign-in, and back to this address. */
export function signIn(): void {
  sessionStorage.setItem(BEGUN, String(Date.now()));
  const { pathname, search, hash } = location;
  location.assign(`${signInPath.value}?to=${encodeURIComponent(`${pathname}${search}${hash}`)}`);
}

/** Tests whether the page may lead to the sign-in by itself: not just after it did, or after a sign-out. */
export function mayLead(): boolean {
  return Date.now() - Number(sessionStorage.getItem(BEGUN) ?? 0) > PAUSE_MS;
}

/** The name of who has signed in, and the way out. */
export function SignedIn() {
  const [session, hold] = useState<Session | null>(null);
  useEffect(() => {
    if (isTokenGiven() || !document.cookie.includes(MARK)) return;
    readJson<{ session: Session | null }>('/v3/session').then(
      (told) => hold(told.session),
      () => undefined,
    );
  }, []);
  if (!session) return null;
  const leave = async () => {
    await sendJson('/auth/sign-out', {}).catch(() => undefined);
    sessionStorage.setItem(BEGUN, String(Date.now()));
    refuse('You have signed out here.', '/auth/sign-in');
  };
  return (
    <span class="reader">
      <span title="Signed in">{session.name}</span>
      <button type="button" onClick={leave}>
        Sign out
      </button>
    </span>
  );
}
