import type { SignInConfig } from '../../config/sign-in-settings.ts';
import { advisedMessageOf } from '../../error.ts';
import type { Generation, Generations } from '../../generation/generations.ts';
import { type Access, type Claims, type Decision, readAccess } from '../../identity/access.ts';
import { followFile } from '../../identity/followed-file.ts';
import { readOwnPart } from '../../identity/own-part.ts';
import { endOfSession, findSession, readSessions, type Session, sessionsBeside } from '../../identity/sessions.ts';
import { PART_SCOPES, type Scope } from '../../identity/tokens.ts';
import type { ReaderPart } from '../../report/source/part-views.ts';
import type { AuthenticatedReader } from './auth.ts';
import { sessionCookieName } from './session-cookie.ts';

/** The readers who have signed in, by the texts of their cookies. */
export interface SessionReaders {
  readonly cookieName: string;
  /** Returns the rules of access; undefined while they can't be read. */
  access(): Access | undefined;
  /** Returns the reader of a session without rights, which its part gives, and its end; undefined for none. */
  find(text: string, at: Date): { reader: AuthenticatedReader; endsAt: number } | undefined;
  /** Returns the same reader with its rights and its part of the present data. */
  settle(reader: AuthenticatedReader, generations: Generations | undefined): Promise<AuthenticatedReader>;
  /** Reads the files that have changed. @returns true if one had. */
  look(): Promise<boolean>;
  findFault(): string | undefined;
}

/** The rights of a session, and the data version whose people and accounts its part is of. */
interface Rights {
  readonly decision: Decision;
  /** The last one. */
  settled?: { readonly dataVersion: string; readonly reader: AuthenticatedReader };
}

/** The longest wait for the data that a part is of. Unit: ms. */
const PART_MS = 30_000;

/** The part without lines. */
const NOTHING: ReaderPart = { people_id: [] };

/** The scopes of a session before its part is known. */
const NONE: ReadonlySet<Scope> = new Set();

/** Follows the files of sessions and of access. @throws AppError when one can't be read at first. */
export async function followSessions(
  tokensFile: string,
  signIn: SignInConfig,
  numbers: boolean,
): Promise<SessionReaders> {
  const sessions = await followFile(sessionsBeside(tokensFile), readSessionsById);
  const access = await followFile(signIn.access, readAccess);
  // A settled reader has the rights of the one that it was made of.
  const rights = new WeakMap<AuthenticatedReader, Rights>();
  return {
    cookieName: sessionCookieName(signIn),
    access: access.current,
    find(text, at) {
      const session = findSession(sessions.current() ?? new Map(), text, at);
      if (session?.issuer !== signIn.issuer.href || !isDecidable(session, access.current())) return undefined;
      const { decision, refusal } = decideAbout(session.claims, access.current());
      const { id, subject } = session;
      const endsAt = endOfSession(session);
      const email = decision?.email;
      const reader = {
        id,
        label: email ?? subject,
        scopes: NONE,
        numbers,
        session: { subject, email, endsAt, refusal },
      };
      if (decision) rights.set(reader, { decision });
      return { reader, endsAt };
    },
    async settle(reader, generations) {
      const given = rights.get(reader);
      const generation = given && findCurrent(generations);
      if (!given) return reader;
      // Before the first load there is nothing to see, and every report says so.
      if (!generations || !generation) {
        const blind = { ...reader, scopes: new Set(given.decision.scopes), part: NOTHING };
        rights.set(blind, given);
        return blind;
      }
      const { settled: last } = given;
      // After a write, such as of another email, the report is of newer data, and so is the part.
      const isLatest = generation === generations.latest();
      if (isLatest && last?.dataVersion === generation.company.dataVersion) return last.reader;
      const { dataVersion, part } = await readPart(generations, generation, given.decision);
      const scopes = given.decision.scopes.filter((scope) => part === undefined || PART_SCOPES.includes(scope));
      const settled = { ...reader, scopes: new Set(scopes), part };
      given.settled = { dataVersion, reader: settled };
      rights.set(settled, given);
      return settled;
    },
    async look() {
      return (await Promise.all([sessions.look(), access.look()])).includes(true);
    },
    findFault: () => sessions.findFault() ?? access.findFault(),
  };
}

/** Tests whether a session has all claims that the rules are about; if they have come to ask for others, its reader signs in again. */
function isDecidable({ asked }: Session, rules: Access | undefined): boolean {
  return (rules?.claimNames ?? []).every((name) => asked.includes(name));
}

/** Decides about somebody by the rules of access; without a decision, says whom to ask. */
export function decideAbout(
  claims: Claims,
  rules: Access | undefined,
): { decision: Decision | undefined; refusal: string | undefined } {
  if (!rules)
    return { decision: undefined, refusal: "The rules of access can't be read. Ask whoever runs this server" };
  try {
    const decision = rules.decide(claims);
    return { decision, refusal: decision ? undefined : (rules.contact ?? 'Ask whoever runs this server') };
  } catch (error) {
    return { decision: undefined, refusal: advisedMessageOf(error) };
  }
}

async function readSessionsById(file: string): Promise<ReadonlyMap<string, Session>> {
  return new Map((await readSessions(file)).map((session) => [session.id, session]));
}

/** Returns the present data; undefined before the first load, when nothing can be read. */
function findCurrent(generations: Generations | undefined): Generation | undefined {
  try {
    return generations?.current();
  } catch {
    return undefined;
  }
}

async function readPart(
  generations: Generations,
  generation: Generation,
  decision: Decision,
): Promise<{ dataVersion: string; part: ReaderPart | undefined }> {
  const lease = generations.lease(generation);
  try {
    const opened = await lease.open(AbortSignal.timeout(PART_MS));
    const part = await readOwnPart(opened.database(true), decision);
    return { dataVersion: opened.company.dataVersion, part };
  } finally {
    lease.release();
  }
}
