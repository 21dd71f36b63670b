import { formatZonedTime } from '../../base/database/index.ts';
import { isObject } from '../../base/index.ts';
import type { Claims } from './access.ts';
import { type Credential, findCredential, isCredential, makeCredential } from './credential.ts';
import { changeEntryFile, type EntryKind, readEntryFile, revokeEntry } from './entry-file.ts';

/** Somebody who has signed in: the issuer, the name there, and the session there, if the issuer says so. */
export interface SignedIn {
  readonly issuer: string;
  readonly subject: string;
  readonly sid?: string;
  /** The names of the claims that rules of access were about. */
  readonly asked: readonly string[];
  /** Those of them that the issuer has told. */
  readonly claims: Claims;
}

/** A stored session of a browser: only its hash, never the text of its cookie. */
export interface Session extends Credential, SignedIn {
  readonly created_at: string;
  readonly ends_at: string;
}

/** A sign-out at an issuer: of a session there, of all of somebody, or both. */
export interface IssuerSignOut {
  readonly issuer: string;
  /** The id of its token, which is taken once. */
  readonly id: string;
  readonly subject?: string | undefined;
  readonly sid?: string | undefined;
}

/** The life of a session, whatever its use: a claim that is taken away at the issuer is gone then. Unit: ms. */
export const SESSION_MS = 43_200_000;

/** Sessions of all readers; the oldest end first. Unit: sessions. */
export const MAX_SESSIONS = 5_000;

/** Sessions of one reader; the oldest end first. Unit: sessions. */
export const MAX_SESSIONS_EACH = 10;

const SESSIONS: EntryKind<Session> = {
  name: 'sessions',
  command: 'sessions',
  hints: {
    foreignFile:
      'Run plumbline sessions as the user that runs the server: sudo -u USER plumbline sessions list. Give that user what another has made: sudo chown USER FILE.',
    other:
      'Check that plumbline serve made the file and that you may read and write it, or delete it: all sign in again then.',
  },
  isEntry: isSession,
};

export function sessionsBeside(tokensFile: string): string {
  return `${tokensFile.replace(/\.tokens\.json$/, '')}.sessions.json`;
}

/**
 * Reads the sessions of a file, those that are over included; none if there is no file.
 * @throws AppError storage when it can't be read or isn't a list of sessions.
 */
export function readSessions(file: string): Promise<Session[]> {
  return readEntryFile(SESSIONS, file);
}

/**
 * Creates a session and stores its hash.
 * @param replaced The text of the session before in the same browser, which ends.
 * @returns the text for its cookie, stored nowhere, and its entry.
 */
export async function createSession(
  file: string,
  { issuer, subject, sid, asked, claims }: SignedIn,
  now: Date,
  replaced = '',
): Promise<{ text: string; kept: Session }> {
  const { text, kept: credential } = makeCredential('pls');
  const created_at = formatZonedTime(now);
  const ends_at = formatZonedTime(new Date(now.getTime() + SESSION_MS));
  const kept = {
    ...credential,
    issuer,
    subject,
    ...(sid !== undefined && { sid }),
    asked,
    claims,
    created_at,
    ends_at,
  };
  await changeEntryFile(SESSIONS, file, (sessions) => {
    const before = findCredential(new Map(sessions.map((session) => [session.id, session])), replaced);
    const lasting = sessions.filter((session) => session !== before && !isSessionOver(session, now));
    const own = lasting.filter((session) => isOf(session, kept));
    const oldest = new Set(own.slice(0, Math.max(0, own.length + 1 - MAX_SESSIONS_EACH)));
    return [...lasting.filter((session) => !oldest.has(session)), kept].slice(-MAX_SESSIONS);
  });
  return { text, kept };
}

/** Revokes a session. @throws AppError unknown when none has the id. */
export function revokeSession(file: string, id: string): Promise<void> {
  return revokeEntry(SESSIONS, file, id);
}

/** Ends the sessions that somebody signs out of at the issuer: one of them if it is named, else all. */
export function endSessions(file: string, signedOut: Omit<IssuerSignOut, 'id'>): Promise<void> {
  const { issuer, subject, sid } = signedOut;
  const isEnded = (session: Session) =>
    session.issuer === issuer &&
    (subject === undefined || session.subject === subject) &&
    (sid === undefined || session.sid === sid);
  return changeEntryFile(SESSIONS, file, (sessions) => sessions.filter((session) => !isEnded(session)));
}

/** Returns the stored entry of the text of a cookie if it isn't over. */
export function findSession(sessions: ReadonlyMap<string, Session>, text: string, now: Date): Session | undefined {
  const session = findCredential(sessions, text);
  return session && !isSessionOver(session, now) ? session : undefined;
}

export function isSessionOver(session: Session, now: Date): boolean {
  return now.getTime() >= endOfSession(session);
}

/** Returns the end of a session. Unit: ms since 1970. */
export function endOfSession({ ends_at }: Session): number {
  return Date.parse(ends_at);
}

function isOf(session: Session, { issuer, subject }: Session): boolean {
  return session.issuer === issuer && session.subject === subject;
}

function isSession(entry: unknown): entry is Session {
  const given = (entry ?? {}) as Record<string, unknown>;
  const { issuer, subject, sid, asked, claims, created_at, ends_at } = given;
  return (
    isCredential(given) &&
    typeof issuer === 'string' &&
    typeof subject === 'string' &&
    (sid === undefined || typeof sid === 'string') &&
    Array.isArray(asked) &&
    isObject(claims) &&
    typeof created_at === 'string' &&
    !Number.isNaN(Date.parse(String(ends_at)))
  );
}
