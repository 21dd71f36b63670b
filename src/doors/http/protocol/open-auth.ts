import { fastifyCookie } from '@fastify/cookie';
import { LRUCache } from 'lru-cache';
import type { ServerConfig } from '../../../base/config/index.ts';
import { createSerialQueue } from '../../../base/database/index.ts';
import { repeat } from '../../../store/generation/index.ts';
import { followFile } from '../../identity/followed-file.ts';
import { endOfToken, findToken, readTokens, SCOPES } from '../../identity/tokens.ts';
import type { Auth, AuthenticatedReader, CredentialHeaders } from './auth.ts';
import type { Limits } from './limits.ts';
import { followSessions } from './session-readers.ts';

interface CachedReader {
  readonly reader: AuthenticatedReader;
  /** The end of its token or session. Unit: ms since 1970. */
  readonly endsAt: number;
}

/** Begins the keys of sessions in the cache, and no Authorization header: those are trimmed. */
const SESSION_KEY = ' ';

/** The reader without tokens: a client on the same machine. */
const LOCAL = { id: '', label: '', scopes: new Set(SCOPES) };

/**
 * Opens the files of tokens, sessions and access, and follows their changes; a file that becomes unreadable revokes all
 * access that it gives.
 * @param numbers True to answer all readers with the decimals of the live service.
 * @param onError Called when a file can't be read.
 * @throws AppError storage when one can't be read at first.
 */
export async function openAuth(
  { tokens: tokensFile, signIn }: Pick<ServerConfig, 'tokens' | 'signIn'>,
  { pollMs, cachedHeaders }: Limits,
  numbers: boolean,
  now: () => Date,
  onError: (message: string) => void,
): Promise<Auth> {
  const local: AuthenticatedReader = { ...LOCAL, numbers };
  const tokens = await followFile(tokensFile, async (file) => byId(await readTokens(file)));
  const sessions = signIn && (await followSessions(tokensFile, signIn, { numbers, now, onError }));
  // Once there has been a token, removing the last one must not give open access.
  let hadTokens = false;
  const note = () => {
    hadTokens ||= (tokens.current()?.size ?? 1) > 0;
  };
  note();
  const isOpen = () => !sessions && !hadTokens;
  const findFault = () => tokens.findFault() ?? (hadTokens && !tokens.isThere() ? goneMessage(tokensFile) : undefined);
  // Looking up a token by its hash takes longer than a 304 answer.
  const cache = new LRUCache<string, CachedReader>({ max: cachedHeaders });
  const readChanges = async () => {
    const changes = await Promise.all([tokens.look(), sessions?.look() ?? false]);
    if (!changes.includes(true)) return;
    note();
    cache.clear();
    for (const fault of [findFault(), sessions?.findFault()]) if (fault !== undefined) onError(fault);
  };
  // One at a time: who asks for it knows afterwards that the changes hold. Those who ask while one waits share it, so many
  // requests with a wrong token look no more often than one.
  const inTurn = createSerialQueue();
  let waiting: Promise<void> | undefined;
  const look = () => {
    waiting ??= inTurn(() => {
      waiting = undefined;
      return readChanges();
    });
    return waiting;
  };
  const findByToken = (header: string, at: Date): CachedReader | undefined => {
    const token = findToken(tokens.current() ?? new Map(), readCredential(header), at);
    if (!token) return undefined;
    const { id, label, scopes, only } = token;
    const asNumbers = numbers || (token.numbers ?? false);
    const reader = { id, label, scopes: new Set(scopes), part: only, numbers: asNumbers };
    return { reader, endsAt: endOfToken(token) };
  };
  const keyOf = ({ authorization, cookie }: CredentialHeaders): string | undefined => {
    if (authorization !== undefined || !sessions || cookie === undefined) return authorization;
    const text = fastifyCookie.parse(cookie)[sessions.cookieName];
    return text && `${SESSION_KEY}${text}`;
  };
  const find = (key: string, at: Date): CachedReader | undefined =>
    key.startsWith(SESSION_KEY) ? sessions?.find(key.slice(SESSION_KEY.length), at) : findByToken(key, at);
  const identify = (headers: CredentialHeaders): AuthenticatedReader | undefined => {
    if (isOpen()) return local;
    const key = keyOf(headers);
    if (key === undefined) return undefined;
    const at = now();
    const cached = cache.get(key);
    if (cached && at.getTime() < cached.endsAt) return cached.reader;
    const found = find(key, at);
    if (found) cache.set(key, found);
    return found?.reader;
  };
  const watch = repeat(look, pollMs);
  return {
    isOpen,
    identify,
    async settle(headers, generations) {
      const reader = identify(headers);
      if (!sessions || !reader?.session) return reader;
      const settled = await sessions.settle(reader, generations);
      const key = keyOf(headers);
      // Signed out meanwhile, unless the reader is still known.
      if (key !== undefined && cache.get(key)?.reader === reader)
        cache.set(key, { reader: settled, endsAt: reader.session.endsAt });
      return settled;
    },
    access: () => sessions?.access(),
    findFault,
    look,
    close: () => watch.close(),
  };
}

function goneMessage(file: string): string {
  return `There are no tokens any more, so every request is refused: ${file} is gone. Put it back, or name its new place with --tokens and start the server again.`;
}

/** Returns the token of a header: the value of Bearer, or the password of Basic with any user name. */
function readCredential(header: string): string {
  const [, scheme = '', text = ''] = /^(\w+) +([^\s]+)$/.exec(header) ?? [];
  if (scheme.toLowerCase() === 'bearer') return text;
  if (scheme.toLowerCase() !== 'basic') return '';
  const pair = Buffer.from(text, 'base64').toString('utf8');
  return pair.slice(pair.indexOf(':') + 1);
}

function byId<Entry extends { readonly id: string }>(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [entry.id, entry]));
}
