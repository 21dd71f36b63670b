import type { SignInConfig } from '../../../base/config/index.ts';
import { advisedMessageOf, fullMessageOf } from '../../../base/index.ts';
import type { Generation, Generations } from '../../../store/generation/index.ts';
import { type Access, type Claims, type Decision, readAccess } from '../../identity/access.ts';
import { type AccountLink, keepLink, keyOfLink, linksBeside, readLinks } from '../../identity/account-links.ts';
import { followFile } from '../../identity/followed-file.ts';
import type { AccountSearch, FoundAccount } from '../../identity/own-account.ts';
import { NOTHING, type OwnPart, readOwnPart } from '../../identity/own-part.ts';
import { endOfSession, findSession, readSessions, type Session, sessionsBeside } from '../../identity/sessions.ts';
import { PART_SCOPES, type Scope } from '../../identity/tokens.ts';
import type { AuthenticatedReader, SessionRefusal } from './auth.ts';
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
  readonly who: Pick<Session, 'issuer' | 'subject'>;
  /** The last one. */
  settled?: { readonly dataVersion: string; readonly reader: AuthenticatedReader };
}

/** The longest wait for the data that a part is of. Unit: ms. */
const PART_MS = 30_000;

/** The words for somebody who sees nothing, if the rules of access have none. */
const ASK = 'Ask whoever runs this server';

/** Without the accounts that readers had, a limit might not be found. */
const UNREADABLE_ACCOUNTS = { decision: undefined, refusal: `The accounts of readers can't be read. ${ASK}` };

/** The scopes of a session before its part is known. */
const NONE: ReadonlySet<Scope> = new Set();

interface SessionOptions {
  /** True to answer all readers with the decimals of the live service. */
  readonly numbers: boolean;
  readonly now: () => Date;
  /** Called when an account can't be kept. */
  readonly onError: (message: string) => void;
}

/** Follows the files of sessions, accounts and access. @throws AppError when one can't be read at first. */
export async function followSessions(
  tokensFile: string,
  signIn: SignInConfig,
  { numbers, now, onError }: SessionOptions,
): Promise<SessionReaders> {
  const sessions = await followFile(sessionsBeside(tokensFile), readSessionsById);
  const access = await followFile(signIn.access, readAccess);
  const linksFile = linksBeside(tokensFile);
  const links = await followFile(linksFile, readLinksByKey);
  const files = [sessions, access, links];
  const keepAccount = async ({ decision: { email }, who }: Rights, { accounts: [account, other] }: FoundAccount) => {
    if (!account || other || email === undefined) return;
    await keepLink(linksFile, { ...who, account_id: account.id, email }, now()).catch((error: unknown) =>
      onError(fullMessageOf(error)),
    );
  };
  // A settled reader has the rights of the one that it was made of.
  const rights = new WeakMap<AuthenticatedReader, Rights>();
  return {
    cookieName: sessionCookieName(signIn),
    access: access.current,
    find(text, at) {
      const session = findSession(sessions.current() ?? new Map(), text, at);
      if (session?.issuer !== signIn.issuer.href || !isDecidable(session, access.current())) return undefined;
      const { decision, refusal: hint } = links.current()
        ? decideAbout(session.claims, access.current())
        : UNREADABLE_ACCOUNTS;
      const { id, issuer, subject } = session;
      const endsAt = endOfSession(session);
      const email = decision?.email;
      const label = email ?? subject;
      const refusal = hint === undefined ? undefined : { message: `No rule of access is for ${label}`, hint };
      const reader = { id, label, scopes: NONE, numbers, session: { subject, email, endsAt, refusal } };
      if (decision) rights.set(reader, { decision, who: { issuer, subject } });
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
      const link = links.current()?.get(keyOfLink(given.who));
      const { dataVersion, own } = await readPart(generations, generation, given.decision, link?.account_id);
      if (own.found.by === 'email') await keepAccount(given, own.found);
      const settled = giveRights(reader, given.decision, own, access.current()?.contact);
      given.settled = { dataVersion, reader: settled };
      rights.set(settled, given);
      return settled;
    },
    async look() {
      return (await Promise.all(files.map((file) => file.look()))).includes(true);
    },
    findFault: () => files.map((file) => file.findFault()).find((fault) => fault !== undefined),
  };
}

/** Returns a reader with the rights that a decision gives with the present data. */
function giveRights(
  reader: AuthenticatedReader,
  { scopes: given, otherwise }: Decision,
  { part, found, isOtherwise }: OwnPart,
  contact = ASK,
): AuthenticatedReader {
  const isRefused = isOtherwise && otherwise === 'none';
  const message = `Accounts have limits, and none is found for ${reader.label}: ${found.reason}`;
  const refusal: SessionRefusal | undefined = isRefused ? { message, hint: contact } : undefined;
  const scopes = given.filter((scope) => !isRefused && (part === undefined || PART_SCOPES.includes(scope)));
  return {
    ...reader,
    scopes: new Set(scopes),
    part,
    ...(reader.session && { session: { ...reader.session, refusal } }),
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
  if (!rules) return { decision: undefined, refusal: `The rules of access can't be read. ${ASK}` };
  try {
    const decision = rules.decide(claims);
    return { decision, refusal: decision ? undefined : (rules.contact ?? ASK) };
  } catch (error) {
    return { decision: undefined, refusal: advisedMessageOf(error) };
  }
}

async function readLinksByKey(file: string): Promise<ReadonlyMap<string, AccountLink>> {
  return new Map((await readLinks(file)).map((link) => [keyOfLink(link), link]));
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
  keptAccount: AccountSearch['keptAccount'],
): Promise<{ dataVersion: string; own: OwnPart }> {
  const lease = generations.lease(generation);
  try {
    const opened = await lease.open(AbortSignal.timeout(PART_MS));
    const own = await readOwnPart(opened.database(true), decision, keptAccount);
    return { dataVersion: opened.company.dataVersion, own };
  } finally {
    lease.release();
  }
}
